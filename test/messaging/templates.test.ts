import { expect, test } from 'vitest';
import { type Mail, templates } from '../../src/messaging/ports.js';

const to = 'ana@players.test';
const link = 'https://courtside.test/r/abc?x=1&y=2';
const nasty = '<img src=x onerror=alert(1)>\r\nBcc: eve@players.test';

const mails: Record<string, Mail> = {
  emailValidation: templates.emailValidation({ to, link }),
  passwordResetMail: templates.passwordResetMail({ to, link }),
  accountExists: templates.accountExists({ to, link }),
  gameInvitation: templates.gameInvitation({ to, host: nasty, game: nasty, when: nasty, where: nasty, link }),
  teamInvitation: templates.teamInvitation({ to, host: nasty, entry: nasty }),
  leagueMail: templates.leagueMail({ to, title: nasty, body: nasty }),
  contactMail: templates.contactMail({ to, reason: nasty, details: nasty, name: nasty, email: 'eve@players.test', phone: nasty }),
};

test.each(Object.entries(mails))('%s has a subject of one line and escapes what it is given', (_name, mail) => {
  expect({
    ...mail,
    subject: /[\r\n]/.test(mail.subject),
    text: mail.text.length > 0,
    html: mail.html?.includes('<img'),
  }).toEqual({
    kind: 'mail',
    to,
    subject: false,
    text: true,
    html: false,
    ...(mail.replyTo && { replyTo: 'eve@players.test' }),
  });
});

test('a link stands bare in plain text, and escaped in HTML', () => {
  const { text, html } = templates.emailValidation({ to, link });
  expect([text.includes(link), html?.includes('href="https://courtside.test/r/abc?x=1&amp;y=2"')]).toEqual([true, true]);
});

test('text messages fit a phone', () => {
  expect([
    templates.passwordResetText({ to: '+15125550100', code: '123456' }),
    templates.leagueText({ to: '+15125550100', text: 'Court 3' }),
  ]).toEqual([
    {
      kind: 'text',
      to: '+15125550100',
      body: '123456 is your Courtside code. It works once, within 10 minutes. Share it with nobody.',
    },
    { kind: 'text', to: '+15125550100', body: 'Court 3' },
  ]);
});
