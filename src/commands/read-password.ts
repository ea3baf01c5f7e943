import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StartProblem } from '../process/start-problem.js';

/** Discards the characters that readline echoes. */
const silent = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Asks for a line in the terminal, without showing the answer. */
async function askHidden(question: string): Promise<string> {
  // Turns off the echo of the terminal before the question is shown.
  const prompt = createInterface({ input: process.stdin, output: silent(), terminal: true });
  try {
    const answer = prompt.question('');
    process.stderr.write(question);
    return await answer;
  } catch {
    throw new StartProblem('No password was entered.');
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}

/** Reads a password: from a prompt, which asks twice, or from standard input if it is not a terminal. */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  const password = await askHidden('Password: ');
  if (password !== (await askHidden('Repeat the password: '))) throw new StartProblem('The passwords differ.');
  return password;
}
