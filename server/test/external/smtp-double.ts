import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Received {
  /** As the envelope says: where it went, whatever its head says. */
  recipients: string[]
  mail: Email
}

/** A real SMTP server for tests, which keeps what it gets. */
export interface Mailbox {
  /** What SMTP_URL would be. */
  url: string
  letters: Received[]
  /** The first letter to this address from now on or before, once it is there. */
  to(address: string, count?: number): Promise<Received>
  /** Refuses every letter from now on, or takes them again. */
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
        const look = () => {
          const found = letters.filter(({ recipients }) => recipients.includes(address))[count - 1]
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    refuse: (next) => {
      refusing = next
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
