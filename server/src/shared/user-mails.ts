import type { EmailMessage } from '../ports/mail'

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Limits text from the database to one line of 120 characters. */
const toOneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 120)

interface MailContent {
  to: string
  subject: string
  paragraphs: string[]
  link?: { href: string; label: string }
  closingParagraphs?: string[]
}

/** Builds the text and HTML versions. Only the button sets colours; they are readable on light and dark backgrounds. */
const buildMail = ({ to, subject, paragraphs, link, closingParagraphs = [] }: MailContent): EmailMessage => {
  const renderParagraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
  const renderButton = ({ href, label }: NonNullable<MailContent['link']>) =>
    `<p style="margin:24px 0"><a href="${escapeHtml(href)}" style="display:inline-block;padding:10px 20px;border-radius:6px;background-color:#335de0;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`
  return {
    to,
    subject,
    text: `${[...paragraphs, ...(link ? [link.href] : []), ...closingParagraphs].join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
      '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
      `<title>${escapeHtml(subject)}</title><style>:root{color-scheme:light dark}</style></head>`,
      '<body style="margin:0;padding:24px"><div style="max-width:520px;margin:0 auto;font:15px/1.5 system-ui,-apple-system,\'Segoe UI\',sans-serif">',
      ...paragraphs.map(renderParagraph),
      ...(link ? [renderButton(link)] : []),
      ...closingParagraphs.map(renderParagraph),
      '</div></body></html>',
      '',
    ].join('\n'),
  }
}

const resetSubject = 'Reset password request'

const notRequestedText = 'If you did not request this, you can ignore this email.'

/** Contains the link to choose a new password. */
export const buildPasswordResetMail = (to: string, user: { name: string }, href: string): EmailMessage =>
  buildMail({
    to,
    subject: resetSubject,
    paragraphs: [
      `Someone requested a new password for the user ${toOneLine(user.name)} on Trunkline.`,
      'To choose one, open this link. It works once, within one hour.',
    ],
    link: { href, label: 'Choose a new password' },
    closingParagraphs: [`${notRequestedText} Your password has not changed.`],
  })

/** For users who sign in with an external provider and have no password here. */
export const buildExternalSignInMail = (
  to: string,
  user: { name: string; provider: string },
  href: string,
): EmailMessage =>
  buildMail({
    to,
    subject: resetSubject,
    paragraphs: [
      `Someone requested a new password for the user ${toOneLine(user.name)} on Trunkline.`,
      `This user logs in with ${toOneLine(user.provider)} and has no password here. Please use that provider to log in.`,
    ],
    link: { href, label: 'Log in' },
    closingParagraphs: [notRequestedText],
  })

/** Contains the link that confirms a new email address. */
export const buildEmailConfirmationMail = (to: string, user: { name: string }, href: string): EmailMessage =>
  buildMail({
    to,
    subject: 'Confirm your email address',
    paragraphs: [
      `This email address was entered for the user ${toOneLine(user.name)} on Trunkline.`,
      'To confirm it, open this link and enter the password of the user. The link works once, within 24 hours.',
    ],
    link: { href, label: 'Confirm email address' },
    closingParagraphs: [
      'If you did not expect this, ignore this message. No other emails are sent to this address until it is confirmed.',
    ],
  })

/** Sent to the previous address after a user changed their own email address. */
export const buildOwnEmailChangedMail = (
  to: string,
  user: { name: string },
  email: string,
  href: string,
): EmailMessage =>
  buildMail({
    to,
    subject: 'Your email address was changed',
    paragraphs: [
      `The email address of the user ${toOneLine(user.name)} on Trunkline was changed to ${toOneLine(email)}.`,
      'Until the new address is confirmed, password reset links are still sent to this one.',
      'If this was not you, choose a new password now. This also restores this email address.',
    ],
    link: { href, label: 'Choose a new password' },
  })

/** Sent to the previous address after another user changed the email address. */
export const buildEmailChangedMail = (to: string, user: { name: string }, email: string): EmailMessage =>
  buildMail({
    to,
    subject: 'Your email address was changed',
    paragraphs: [
      `Another user changed the email address of the user ${toOneLine(user.name)} on Trunkline to ${toOneLine(email)}.`,
      'If you did not expect this, contact your administrator.',
    ],
  })

/** Sent after another user set the password. */
export const buildPasswordSetMail = (to: string, user: { name: string }): EmailMessage =>
  buildMail({
    to,
    subject: 'Your password was changed',
    paragraphs: [
      `Another user set a new password for the user ${toOneLine(user.name)} on Trunkline.`,
      'If you did not expect this, contact your administrator.',
    ],
  })
