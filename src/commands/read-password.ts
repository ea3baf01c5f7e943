import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StartProblem } from '../process/start-problem.js';

/** Discards the characters that readline echoes. */
const silent = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Prompts for a line in the terminal, without showing the input. */
async function promptHidden(label: string): Promise<string> {
  // Turns off the echo of the terminal before the prompt is shown.
  const terminal = createInterface({ input: process.stdin, output: silent(), terminal: true });
  try {
    const answer = terminal.question('');
    process.stderr.write(label);
    return await answer;
  } catch {
    throw new StartProblem('No password was entered.');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

/**
 * Reads a password. In a terminal, prompts for it twice, and throws a `StartProblem` if the entries differ. Otherwise, reads standard
 * input.
 */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  const password = await promptHidden('Password: ');
  if (password !== (await promptHidden('Repeat the password: '))) throw new StartProblem('The passwords differ.');
  return password;
}
