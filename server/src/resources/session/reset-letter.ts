import type { Letter } from '../../ports/mail'

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A name out of the database, on one line and no longer than a line. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 120)

interface Content {
  to: string
  paragraphs: string[]
  link?: { href: string; label: string }
  after?: string[]
}

/** Both forms of a letter. The colours are the reader's own: only the button brings some, readable on light and dark. */
const letter = ({ to, paragraphs, link, after = [] }: Content): Letter => {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escaped(text)}</p>`
  const button = ({ href, label }: NonNullable<Content['link']>) =>
    `<p style="margin:24px 0"><a href="${escaped(href)}" style="display:inline-block;padding:10px 20px;border-radius:6px;background-color:#335de0;color:#ffffff;font-weight:600;text-decoration:none">${escaped(label)}</a></p>`
  return {
    to,
    subject: 'Reset password request',
    text: `${[...paragraphs, ...(link ? [link.href] : []), ...after].join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
      '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
      '<title>Reset password request</title><style>:root{color-scheme:light dark}</style></head>',
      '<body style="margin:0;padding:24px"><div style="max-width:520px;margin:0 auto;font:15px/1.5 system-ui,-apple-system,\'Segoe UI\',sans-serif">',
      ...paragraphs.map(paragraph),
      ...(link ? [button(link)] : []),
      ...after.map(paragraph),
      '</div></body></html>',
      '',
    ].join('\n'),
  }
}

const unasked = 'If this was not you, you need not do anything: your password has not changed.'

/** The letter with a link for a new password. */
export const resetLetter = (user: { name: string; email: string }, href: string): Letter =>
  letter({
    to: user.email,
    paragraphs: [
      `Somebody asked for a new password for the user ${oneLine(user.name)} on Trunkline.`,
      'To choose one, open this link. It is good for one hour and for one new password.',
    ],
    link: { href, label: 'Choose a new password' },
    after: [unasked],
  })

/** The letter to somebody who has no password here, because another provider does the signing in. */
export const otherProviderLetter = (user: { name: string; email: string; provider: string }, href: string): Letter =>
  letter({
    to: user.email,
    paragraphs: [
      `Somebody asked for a new password for the user ${oneLine(user.name)} on Trunkline.`,
      `This user signs in with ${oneLine(user.provider)} and has no password here. Please use that provider to log in.`,
    ],
    link: { href, label: 'Log in' },
    after: [unasked],
  })
