/**
 * orchd as a launchd agent: ~/Library/LaunchAgents/dev.orchd.daemon.plist.
 *
 * `AbandonProcessGroup` keeps the host and its programs running when the daemon ends. launchd restarts a daemon that
 * crashed, but not one that was told to end (exit code 0).
 */
import { join } from 'node:path';
import { mustRun, oneLine, type RunTool, type ServiceManager, type ServiceSpec } from './manager.js';

export const LABEL = 'dev.orchd.daemon';

export function createLaunchd(run: RunTool, homeDir: string, uid: number): ServiceManager {
  const file = join(homeDir, 'Library/LaunchAgents', `${LABEL}.plist`);
  const domain = `gui/${uid}`;
  const target = `${domain}/${LABEL}`;
  return {
    name: 'launchd',
    file,
    text: plistText,
    async enable() {
      await run('launchctl', ['bootout', target]); // removes an older one; fails if there is none
      await mustRun(run, 'launchctl', ['enable', target]);
      await mustRun(run, 'launchctl', ['bootstrap', domain, file]);
    },
    async restart() {
      await mustRun(run, 'launchctl', ['kickstart', '-k', target]);
    },
    async disable() {
      await mustRun(run, 'launchctl', ['bootout', target]);
    },
    async state() {
      const { code, stdout } = await run('launchctl', ['print', target]);
      const pid = Number(/^\s*pid = (\d+)$/m.exec(stdout)?.[1] ?? 0);
      return { isEnabled: code === 0, isRunning: pid > 0, pid: pid > 0 ? pid : null };
    },
    advice: async () => [],
  };
}

function plistText({ node, args, env }: ServiceSpec): string {
  const strings = [node, ...args].map((word) => `    <string>${escaped(word)}</string>`);
  const environment = Object.entries(env).map(
    ([name, value]) => `    <key>${escaped(name)}</key>\n    <string>${escaped(value)}</string>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key>\n  <string>${LABEL}</string>`,
    `  <key>ProgramArguments</key>\n  <array>\n${strings.join('\n')}\n  </array>`,
    `  <key>EnvironmentVariables</key>\n  <dict>\n${environment.join('\n')}\n  </dict>`,
    '  <key>RunAtLoad</key>\n  <true/>',
    '  <key>KeepAlive</key>\n  <dict>\n    <key>SuccessfulExit</key>\n    <false/>\n  </dict>',
    '  <key>AbandonProcessGroup</key>\n  <true/>',
    '  <key>ProcessType</key>\n  <string>Interactive</string>',
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

const escaped = (text: string): string =>
  oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
