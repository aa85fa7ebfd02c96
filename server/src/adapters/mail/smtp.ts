import { createTransport } from 'nodemailer'
import type { Mail } from '../../ports/mail'

/** Timeout of connections and responses, in milliseconds. */
const timeoutMs = 15_000

/** `url`: `smtp://user:password@host:587`, or `smtps://` for implicit TLS. */
interface SmtpOptions {
  url: string
  from: string
}

const openTransport = ({ url, from }: SmtpOptions) =>
  createTransport(
    { url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    // Messages cannot change the sender, and cannot attach files or URLs of this server.
    { from, disableFileAccess: true, disableUrlAccess: true },
  )

/** Connects and signs in without sending a message. Rejects with the answer of the mail server. */
export const verifySmtp = async (options: SmtpOptions): Promise<void> => {
  const transport = openTransport(options)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** Creates a sender of mail over SMTP. */
export const createSmtpMail = (options: SmtpOptions): Mail => {
  const transport = openTransport(options)
  return {
    async send({ to, subject, text, html }) {
      // Text could contain several addresses; an object is exactly one.
      await transport.sendMail({ to: { name: '', address: to }, subject, text, html })
    },
    close: () => transport.close(),
  }
}
