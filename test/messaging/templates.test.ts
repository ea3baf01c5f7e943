import { expect, test } from 'vitest';
import { type Mail, templates } from '../../src/messaging/ports.js';

const to = 'ana@players.test';
const link = 'https://courtside.test/r/abc?x=1&y=2';
const malicious = '<img src=x onerror=alert(1)>\r\nBcc: eve@players.test';

const mails: Record<string, Mail> = {
  emailValidation: templates.emailValidation({ to, link }),
  passwordResetMail: templates.passwordResetMail({ to, link }),
  accountExists: templates.accountExists({ to, link }),
  gameInvitation: templates.gameInvitation({ to, host: malicious, game: malicious, when: malicious, where: malicious, link }),
  teamInvitation: templates.teamInvitation({ to, host: malicious, entry: malicious }),
  leagueMail: templates.leagueMail({ to, title: malicious, body: malicious, isTitleSubject: true }),
  contactMail: templates.contactMail({
    to,
    reason: malicious,
    details: malicious,
    name: malicious,
    email: 'eve@players.test',
    phone: malicious,
  }),
};

test.each(Object.entries(mails))('%s has a one-line subject, and its HTML escapes the values', (_name, mail) => {
  const { subject, text, html, ...rest } = mail;
  expect({
    ...rest,
    hasLineBreakInSubject: /[\r\n]/.test(subject),
    hasText: text.length > 0,
    hasImageTag: html?.includes('<img'),
  }).toEqual({
    kind: 'mail',
    to,
    hasLineBreakInSubject: false,
    hasText: true,
    hasImageTag: false,
    ...(mail.replyTo && { replyTo: 'eve@players.test' }),
  });
});

test('a link is plain in the text and escaped in the HTML', () => {
  const { text, html } = templates.emailValidation({ to, link });
  expect({
    isInText: text.includes(link),
    isEscapedInHtml: html?.includes('href="https://courtside.test/r/abc?x=1&amp;y=2"'),
  }).toEqual({ isInText: true, isEscapedInHtml: true });
});

test('the text message of a password reset explains its code', () => {
  expect(templates.passwordResetText({ to: '+15125550100', code: '123456' })).toEqual({
    kind: 'text',
    to: '+15125550100',
    body: '123456 is your Courtside code to reset your password. It expires in 10 minutes. Do not share it with anyone.',
  });
});

test('the text message of a league is its text', () => {
  expect(templates.leagueText({ to: '+15125550100', text: 'Court 3' })).toEqual({
    kind: 'text',
    to: '+15125550100',
    body: 'Court 3',
  });
});
