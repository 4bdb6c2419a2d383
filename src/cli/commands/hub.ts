import type { ActionSpec, CommandSpec, OptionSpec } from '../program/command.js';

const CREDS: OptionSpec = ['--creds <file>', 'file with the seed of a key, or a NATS credentials file'];
const CA: OptionSpec = ['--ca <file>', 'file with the certificates to trust'];
const INSECURE: OptionSpec = ['--insecure', 'allow a connection to another machine without TLS'];

const ACTIONS: readonly ActionSpec[] = [
  {
    name: 'key',
    summary: 'Print the public key of this machine; the first call makes the key.',
    run: async (context) => (await import('../hub/setup.js')).printKey(context),
  },
  {
    name: 'config',
    summary: 'Print a configuration for a NATS server.',
    options: [
      ['--machine <name=key>', 'a machine, which publishes under this name and reads nothing…'],
      ['--label <name=label>', 'a label whose work the machine may take, such as build-7=gpu…'],
      ['--viewer <name=key>', 'a user who reads what all machines publish; the key of a machine, too…'],
      ['--admin <name=key>', 'a user who may run `orchd hub init`…'],
      ['--listen <address>', 'address of the server (default: 127.0.0.1:4222; with TLS 0.0.0.0:4222)'],
      ['--tls-cert <file>', 'certificate of the server'],
      ['--tls-key <file>', 'private key of the server'],
      ['--store <dir>', 'directory of the streams (default: /var/lib/orchd-hub)'],
      ['--max-store <size>', 'limit of all streams together (default: 10GB)'],
      ['--max-message <size>', 'limit of a message (default: 1MB)'],
    ],
    run: async (context, _args, options) => (await import('../hub/setup.js')).printConfig(context, options),
  },
  {
    name: 'init',
    summary: 'Create the streams of a hub on a NATS server, or change their limits.',
    args: '<url>',
    options: [
      ['--name <name>', 'name of the admin in the configuration of the server (default: admin)'],
      ['--max-age <age>', 'remove events that are older (default: 30d)'],
      ['--max-bytes <size>', 'limit of the events; above, the oldest are removed (default: 4GB)'],
      ['--replicas <n>', 'number of servers that keep a copy (default: 1)'],
      CREDS,
      CA,
      INSECURE,
    ],
    run: async (context, [url = ''], options) => (await import('../hub/setup.js')).initialize(context, url, options),
  },
  {
    name: 'join',
    summary: 'Publish the events and questions of this machine on a hub, from now on.',
    args: '<url>',
    options: [
      ['--name <name>', 'name of this machine (default: its host name)'],
      ['--since <seq>', 'also the events after this one; 0: all'],
      ['--replace', 'take over the name of a machine that is gone'],
      CREDS,
      CA,
      INSECURE,
    ],
    run: async (context, [url = ''], options) => (await import('../hub/membership.js')).join(context, url, options),
  },
  {
    name: 'leave',
    summary: 'Leave the hub. Published events stay there.',
    run: async (context) => (await import('../hub/membership.js')).leave(context),
  },
  {
    name: 'status',
    summary: 'Show the connection to the hub, and its machines.',
    quiet: 'print the names of the machines that are not away',
    run: async (context) => (await import('../hub/membership.js')).status(context),
  },
  {
    name: 'enroll',
    summary: 'Let a machine of the hub send commands to this one; hub.accept says which.',
    args: '<machine> <key>',
    quiet: 'print the names of the machines',
    run: async (context, [name = '', key = '']) => (await import('../hub/commands.js')).enroll(context, name, key),
  },
  {
    name: 'unenroll',
    summary: 'Take no more commands of a machine.',
    args: '<machine>',
    quiet: 'print the names of the machines',
    run: async (context, [name = '']) => (await import('../hub/commands.js')).unenroll(context, name),
  },
  {
    name: 'keys',
    summary: 'List the machines that may send commands to this one.',
    quiet: 'print the names of the machines',
    run: async (context) => (await import('../hub/commands.js')).printKeys(context),
  },
  {
    name: 'commands',
    summary: 'List the commands that were sent to other machines: on their way, delivered, or refused.',
    quiet: 'print ids only',
    run: async (context) => (await import('../hub/commands.js')).printCommands(context),
  },
];

export const hub: CommandSpec = {
  name: 'hub',
  group: 'Machines',
  summary: 'Connect several machines by a NATS server: their keys, membership and commands.',
  examples: [
    'orchd hub key',
    'orchd hub config --machine laptop=UA… --viewer laptop=UA… --admin laptop=UA… > hub.conf',
    'orchd hub init nats://127.0.0.1 --name laptop',
    'orchd hub join tls://hub.example.org --name build-7',
    'orchd hub status',
    'orchd hub enroll laptop UA…',
  ],
  actions: ACTIONS,
};
