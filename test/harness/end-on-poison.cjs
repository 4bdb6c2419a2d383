/**
 * Loaded into a daemon by a test (`node --require`): ends the process, as a crash would, when it decodes the text `poison`.
 * That stands for output that a fault in hearing cannot survive.
 */
const decoders = [
  [Buffer.prototype, 'toString'],
  [Buffer.prototype, 'utf8Slice'],
  [Buffer.prototype, 'latin1Slice'],
  [TextDecoder.prototype, 'decode'],
];
for (const [prototype, name] of decoders) {
  const decode = prototype[name];
  prototype[name] = function (...args) {
    const text = decode.apply(this, args);
    if (typeof text === 'string' && text.includes('poison')) process.kill(process.pid, 'SIGKILL');
    return text;
  };
}
