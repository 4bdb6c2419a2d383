/** Certificates for tests of TLS, made by openssl. Without it, tests are skipped with a reason. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) process.stderr.write('skipped: the tests of TLS need openssl\n');

/** Writes cert.pem and key.pem into a folder. */
export function makeCertificate(folder: string, names = 'IP:127.0.0.1'): { cert: string; key: string } {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-keyout',
    key,
    '-out',
    cert,
    '-subj',
    '/CN=orchd',
    '-addext',
    `subjectAltName=${names}`,
  ]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  return { cert, key };
}
