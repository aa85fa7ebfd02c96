import { createTransport } from 'nodemailer'
import type { Mail } from '../../ports/mail'

/** Timeout of connections and responses, in milliseconds. */
const timeoutMs = 15_000

/** Creates a sender of mail over SMTP. `url`: `smtp://user:password@host:587`, or `smtps://` for implicit TLS. */
export const createSmtpMail = ({ url, from }: { url: string; from: string }): Mail => {
  const transport = createTransport(
    { url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    // Messages cannot change the sender, and cannot attach files or URLs of this server.
    { from, disableFileAccess: true, disableUrlAccess: true },
  )
  return {
    async send({ to, subject, text, html }) {
      // Text could contain several addresses; an object is exactly one.
      await transport.sendMail({ to: { name: '', address: to }, subject, text, html })
    },
    close: () => transport.close(),
  }
}
