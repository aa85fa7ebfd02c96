import { formatMoney } from '@trunkline/contract/billing/money'
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
      "To confirm it, open this link and enter the user's password. The link works once, within 24 hours.",
    ],
    link: { href, label: 'Confirm email address' },
    closingParagraphs: [
      'If you did not expect this, ignore this message. No other emails are sent to this address until it is confirmed.',
    ],
  })

/**
 * Sent to the previous address after a user changed their own email address. `resetHref` is the page for a forgotten
 * password; absent if the installation has none.
 */
export const buildOwnEmailChangedMail = (
  to: string,
  user: { name: string },
  email: string,
  resetHref: string | undefined,
): EmailMessage =>
  buildMail({
    to,
    subject: 'Your email address was changed',
    paragraphs: [
      `The email address of the user ${toOneLine(user.name)} on Trunkline was changed to ${toOneLine(email)}.`,
      ...(resetHref
        ? [
            'Until the new address is confirmed, password reset links are still sent to this one.',
            'If this was not you, choose a new password now. This also restores this email address.',
          ]
        : ['If this was not you, contact your administrator.']),
    ],
    ...(resetHref ? { link: { href: resetHref, label: 'Choose a new password' } } : {}),
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

/** Contains the code that confirms the address of a new account. */
export const buildActivationCodeMail = (to: string, code: string, lifetimeMinutes: number): EmailMessage =>
  buildMail({
    to,
    subject: 'Account activation code',
    paragraphs: [
      'Your activation code for Trunkline is:',
      code,
      `Enter it where you registered. It works once, within ${lifetimeMinutes} minutes.`,
    ],
    closingParagraphs: ['If you did not register, you can ignore this email. No account is created without the code.'],
  })

/** Contains the code with which a user of an identity provider confirms a change of the sign-in method. */
export const buildSignInCodeMail = (
  to: string,
  user: { name: string },
  { code, lifetimeMinutes }: { code: string; lifetimeMinutes: number },
): EmailMessage =>
  buildMail({
    to,
    subject: 'Confirmation code',
    paragraphs: [
      `Someone who is logged in as ${toOneLine(user.name)} on Trunkline wants to change how this user logs in. To confirm this, enter the code:`,
      code,
      `It works once, within ${lifetimeMinutes} minutes.`,
    ],
    closingParagraphs: ['If this was not you, do not pass the code on. Nothing changes without it.'],
  })

/** Sent to the address of a user who is replaced by one who signs in in another way. */
export const buildSignInChangedMail = (
  to: string,
  user: { name: string },
  { email, provider }: { email: string; provider: string },
): EmailMessage =>
  buildMail({
    to,
    subject: 'The way to log in was changed',
    paragraphs: [
      `The user ${toOneLine(user.name)} can no longer log in to Trunkline. The account is now used by ${toOneLine(email)}, who logs in with ${provider === 'local' ? 'a password' : toOneLine(provider)}.`,
      'If you did not expect this, contact your service provider.',
    ],
  })

/** Sent three days before the end of a trial. */
export const buildTrialEndsMail = (
  to: string,
  account: { name: string; endsAt: string; canUpgrade: boolean },
  href: string,
): EmailMessage => {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(account.endsAt))
  return buildMail({
    to,
    subject: 'Your trial ends soon',
    paragraphs: [
      `The free trial of the account ${toOneLine(account.name)} on Trunkline ends on ${day}.`,
      `After that, the account makes and receives no calls. Your settings are kept. To continue without interruption, ${account.canUpgrade ? 'upgrade before the trial ends' : 'contact your service provider'}.`,
    ],
    link: { href, label: account.canUpgrade ? 'Log in to upgrade' : 'Log in' },
  })
}

/** Sent when a subscription is suspended. */
export const buildPaymentFailedMail = (
  to: string,
  { name, invoice }: { name: string; invoice?: { total: number; currency: string } },
  href: string,
): EmailMessage =>
  buildMail({
    to,
    subject: 'Your payment failed',
    paragraphs: [
      `The payment${invoice ? ` of ${formatMoney(invoice.total, invoice.currency)}` : ''} for the account ${toOneLine(name)} on Trunkline failed, and its subscription is suspended.`,
      'To continue, log in, choose Change Payment Info and enter another card. The open invoice is then paid with it.',
    ],
    link: { href, label: 'Log in to change the card' },
  })

/** Sent instead of a code if the address already has a user. */
export const buildAlreadyRegisteredMail = (
  to: string,
  href: string,
  { canResetPassword }: { canResetPassword: boolean },
): EmailMessage =>
  buildMail({
    to,
    subject: 'You already have an account',
    paragraphs: [
      'Someone tried to register on Trunkline with this email address. It already belongs to a user.',
      `Log in as usual.${canResetPassword ? ' If you forgot your password, choose a new one on the login page.' : ''}`,
    ],
    link: { href, label: 'Log in' },
    closingParagraphs: ['If this was not you, you can ignore this email. Nothing has changed.'],
  })
