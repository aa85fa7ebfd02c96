import { createTransport } from 'nodemailer'
import type { Mail } from '../../ports/mail'

/** Milliseconds after which a silent mail server counts as dead. */
const patience = 15_000

/** Mail over SMTP. `url` as `smtp://user:password@host:587`, or `smtps://` where TLS comes first. */
export const smtpMail = ({ url, from }: { url: string; from: string }): Mail => {
  const transport = createTransport(
    { url, connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience },
    // Whatever a letter says, its sender is ours and it reads no file and no address of this machine.
    { from, disableFileAccess: true, disableUrlAccess: true },
  )
  return {
    async send({ to, subject, text, html }) {
      // As an object an address is one address: as text it could be a list of them.
      await transport.sendMail({ to: { name: '', address: to }, subject, text, html })
    },
    close: () => transport.close(),
  }
}
