import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Received {
  /** The recipients of the envelope, which may differ from the header. */
  recipients: string[]
  mail: Email
}

/** A real SMTP server that stores received mail. */
export interface Mailbox {
  /** The value for SMTP_URL. */
  url: string
  letters: Received[]
  /** Resolves with the first mail to this address, received already or later. */
  to(address: string, count?: number): Promise<Received>
  /** Refuses all mail from now on, or accepts it again. */
  refuse(refusing: boolean): void
  close(): Promise<void>
}

export const startMailbox = async (): Promise<Mailbox> => {
  const letters: Received[] = []
  const waiting = new Set<() => void>()
  let refusing = false
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    onRcptTo: (_address, _session, done) => done(refusing ? new Error('no such mailbox') : null),
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(parts)).then((mail) => {
          letters.push({ recipients: session.envelope.rcptTo.map(({ address }) => address), mail })
          done()
          for (const tell of waiting) tell()
        }, done)
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    to: (address, count = 1) =>
      new Promise((resolve) => {
        const check = () => {
          const result = letters.filter(({ recipients }) => recipients.includes(address))[count - 1]
          if (!result) return
          waiting.delete(check)
          resolve(result)
        }
        waiting.add(check)
        check()
      }),
    refuse: (next) => {
      refusing = next
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
