import type { Letter } from '../ports/mail'

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A name out of the database, on one line and no longer than a line. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 120)

interface Content {
  to: string
  subject: string
  paragraphs: string[]
  link?: { href: string; label: string }
  after?: string[]
}

/** Both forms of a letter. The colours are the reader's own: only the button brings some, readable on light and dark. */
const letter = ({ to, subject, paragraphs, link, after = [] }: Content): Letter => {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escaped(text)}</p>`
  const button = ({ href, label }: NonNullable<Content['link']>) =>
    `<p style="margin:24px 0"><a href="${escaped(href)}" style="display:inline-block;padding:10px 20px;border-radius:6px;background-color:#335de0;color:#ffffff;font-weight:600;text-decoration:none">${escaped(label)}</a></p>`
  return {
    to,
    subject,
    text: `${[...paragraphs, ...(link ? [link.href] : []), ...after].join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
      '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
      `<title>${escaped(subject)}</title><style>:root{color-scheme:light dark}</style></head>`,
      '<body style="margin:0;padding:24px"><div style="max-width:520px;margin:0 auto;font:15px/1.5 system-ui,-apple-system,\'Segoe UI\',sans-serif">',
      ...paragraphs.map(paragraph),
      ...(link ? [button(link)] : []),
      ...after.map(paragraph),
      '</div></body></html>',
      '',
    ].join('\n'),
  }
}

const resetSubject = 'Reset password request'

const unasked = 'If this was not you, you need not do anything: your password has not changed.'

/** The letter with a link for a new password. */
export const resetLetter = (to: string, user: { name: string }, href: string): Letter =>
  letter({
    to,
    subject: resetSubject,
    paragraphs: [
      `Somebody asked for a new password for the user ${oneLine(user.name)} on Trunkline.`,
      'To choose one, open this link. It is good for one hour and for one new password.',
    ],
    link: { href, label: 'Choose a new password' },
    after: [unasked],
  })

/** The letter to somebody who has no password here, because another provider does the signing in. */
export const otherProviderLetter = (to: string, user: { name: string; provider: string }, href: string): Letter =>
  letter({
    to,
    subject: resetSubject,
    paragraphs: [
      `Somebody asked for a new password for the user ${oneLine(user.name)} on Trunkline.`,
      `This user signs in with ${oneLine(user.provider)} and has no password here. Please use that provider to log in.`,
    ],
    link: { href, label: 'Log in' },
    after: [unasked],
  })

/** The message with a link that confirms a new address. */
export const confirmEmailLetter = (to: string, user: { name: string }, href: string): Letter =>
  letter({
    to,
    subject: 'Confirm your email address',
    paragraphs: [
      `This email address was entered for the user ${oneLine(user.name)} on Trunkline.`,
      'To confirm it, open this link and enter the password of the user. The link works once, within 24 hours.',
    ],
    link: { href, label: 'Confirm email address' },
    after: ['If you did not expect this, ignore this message. Nothing is sent to this address until it is confirmed.'],
  })

/** The message to the address before, when a user has changed its own. */
export const ownEmailChangedLetter = (to: string, user: { name: string }, email: string, href: string): Letter =>
  letter({
    to,
    subject: 'Your email address was changed',
    paragraphs: [
      `The email address of the user ${oneLine(user.name)} on Trunkline was changed to ${oneLine(email)}.`,
      'Until the new address is confirmed, links for a new password are still sent to this one.',
      'If this was not you, choose a new password now. This also restores this email address.',
    ],
    link: { href, label: 'Choose a new password' },
  })

/** The message to the address before, when somebody else has changed it. */
export const emailChangedLetter = (to: string, user: { name: string }, email: string): Letter =>
  letter({
    to,
    subject: 'Your email address was changed',
    paragraphs: [
      `Another user changed the email address of the user ${oneLine(user.name)} on Trunkline to ${oneLine(email)}.`,
      'If you did not expect this, contact your administrator.',
    ],
  })

/** The message to a user whose password was set by somebody else. */
export const passwordSetLetter = (to: string, user: { name: string }): Letter =>
  letter({
    to,
    subject: 'Your password was changed',
    paragraphs: [
      `Another user set a new password for the user ${oneLine(user.name)} on Trunkline.`,
      'If you did not expect this, contact your administrator.',
    ],
  })
