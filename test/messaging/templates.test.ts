import { expect, test } from 'vitest';
import { type Mail, templates } from '../../src/messaging/ports.js';

const to = 'ana@players.test';
const link = 'https://courtside.test/r/abc?x=1&y=2';
const malicious = '<img src=x onerror=alert(1)>\r\nBcc: eve@players.test';

const game = { to, game: malicious, when: malicious, where: malicious, link };
const league = { to, title: malicious, body: malicious };

/** Emails that contain malicious text in every place where users can enter text. */
const mails: Record<Exclude<keyof typeof templates, 'leagueText' | 'passwordResetText'>, Mail> = {
  emailValidationMail: templates.emailValidationMail({ to, link }),
  passwordResetMail: templates.passwordResetMail({ to, link }),
  accountExistsMail: templates.accountExistsMail({ to, link }),
  gameInvitationMail: templates.gameInvitationMail({ ...game, host: malicious }),
  gameChangeMail: templates.gameChangeMail({ ...game, changes: ['time'] }),
  gameCancellationMail: templates.gameCancellationMail(game),
  teamInvitationMail: templates.teamInvitationMail({ to, host: malicious, entry: malicious }),
  leagueMail: templates.leagueMail({ ...league, isTitleSubject: false }),
  contactMail: templates.contactMail({
    to,
    reason: 'Refunds',
    details: malicious,
    name: malicious,
    email: 'eve@players.test',
    phone: malicious,
    platform: malicious,
    tournament: malicious,
  }),
  webhookContactMail: templates.webhookContactMail({ to, code: malicious, webhookId: malicious }),
  webhookPausedMail: templates.webhookPausedMail({ to, host: malicious, webhookId: malicious }),
};

/** Emails with a subject that a platform sets or that comes from reference data. */
const mailsWithSubjects: Record<string, Mail> = {
  'leagueMail of a platform': templates.leagueMail({ ...league, isTitleSubject: true }),
  'contactMail with a reason': templates.contactMail({ to, reason: malicious, details: malicious, email: 'eve@players.test' }),
};

test('no subject contains a text that a user can write', () => {
  const subjects = Object.entries(mails).map(([name, { subject }]) => [name, subject]);
  expect(Object.fromEntries(subjects)).toEqual({
    emailValidationMail: 'Confirm your email address',
    passwordResetMail: 'Reset your password',
    accountExistsMail: 'You already have an account',
    gameInvitationMail: 'A player invites you to a game',
    gameChangeMail: 'A game you were invited to has changed',
    gameCancellationMail: 'A game you were invited to was canceled',
    teamInvitationMail: 'A player invites you to be their partner',
    leagueMail: 'A message from your league',
    contactMail: 'Contact: Refunds',
    webhookContactMail: 'Confirm that you are the contact of a webhook',
    webhookPausedMail: 'A webhook is paused',
  });
});

test.each(Object.entries({ ...mails, ...mailsWithSubjects }))(
  '%s has a one-line subject, and its HTML escapes the values',
  (_name, mail) => {
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
  },
);

test('a link is plain in the text and escaped in the HTML', () => {
  const { text, html } = templates.emailValidationMail({ to, link });
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
