/**
 * A test loads this into a daemon (`node --require`). It ends the process like a crash when it decodes the text
 * `poison`, in place of output that triggers a fatal bug in hearing.
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
