// Reads the commands that the docs print, and runs them: a drill replaces the example's names by its own.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const root = new URL('../', import.meta.url);

/** The code blocks of a language under a heading. */
export const printedBlocks = (path: string, heading: string, language: string): string[] => {
  const section = readFileSync(new URL(path, root), 'utf8')
    .split(/^#{2,3} /m)
    .find((part) => part.startsWith(`${heading}\n`));
  const blocks = section?.matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm')) ?? [];
  const found = [...blocks].map(([, block = '']) => block.replace(/^ +/gm, ''));
  if (found.length === 0) throw new Error(`${path} has no ${language} under "${heading}"`);
  return found;
};

/** Puts the `commonhall` of this checkout into PATH. */
export const withCommonhall = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  PATH: `${new URL('node_modules/.bin', root).pathname}:${env.PATH}`,
});

/** Runs commands in one environment; `export` applies to later commands. Asynchronous: the drill goes on meanwhile. */
export const openShell = (env: NodeJS.ProcessEnv) => {
  let exported = '';
  const withExports = (command: string) => `${exported}${command}`;
  return {
    withExports,
    run: async (command: string): Promise<string> => {
      if (command.startsWith('export ')) {
        exported += `${command}; `;
        return '';
      }
      try {
        const options = { env: withCommonhall(env), cwd: root.pathname, maxBuffer: 1e8 };
        return (await promisify(execFile)('sh', ['-c', withExports(command)], options)).stdout.trim();
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`${command}: ${stdout}${stderr}`.slice(-3000));
      }
    },
  };
};
