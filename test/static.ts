// npm run static: the checks that run no code of the project, side by side. Prints what the failing ones say.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

const checks = ['types', 'lint', 'dead', 'schemas'];
const results = await Promise.all(
  checks.map(async (name) => {
    const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { name, status: await ended, said: stdout + stderr };
  }),
);
for (const { name, status, said } of results) {
  console.log(status === 0 ? `✔ ${name}` : `✖ ${name}\n${said}`);
  if (status !== 0) process.exitCode = 1;
}
