import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  /** The recipients of the envelope, which may differ from the header. */
  recipients: string[]
  mail: Email
}

/** A real SMTP server that stores received mail. */
export interface Mailbox {
  /** The value for SMTP_URL. */
  url: string
  receivedMails: ReceivedMail[]
  /** Resolves with the first mail to this address, received already or later. */
  waitForMail(address: string, count?: number): Promise<ReceivedMail>
  /** Refuses all mail from now on, or accepts it again. */
  setRefusing(refusing: boolean): void
  close(): Promise<void>
}

/**
 * Starts the server on a free port of the loopback interface.
 * @param onMail is called for each mail
 */
export const startMailbox = async (onMail?: (received: ReceivedMail) => void): Promise<Mailbox> => {
  const receivedMails: ReceivedMail[] = []
  const waitingChecks = new Set<() => void>()
  let isRefusing = false
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    onRcptTo: (_address, _session, done) => done(isRefusing ? new Error('no such mailbox') : null),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (part: Buffer) => chunks.push(part))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          const received = { recipients: session.envelope.rcptTo.map(({ address }) => address), mail }
          receivedMails.push(received)
          onMail?.(received)
          done()
          for (const check of waitingChecks) check()
        }, done)
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    receivedMails,
    waitForMail: (address, count = 1) =>
      new Promise((resolve) => {
        const check = () => {
          const receivedMail = receivedMails.filter(({ recipients }) => recipients.includes(address))[count - 1]
          if (!receivedMail) return
          waitingChecks.delete(check)
          resolve(receivedMail)
        }
        waitingChecks.add(check)
        check()
      }),
    setRefusing: (shouldRefuse) => {
      isRefusing = shouldRefuse
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
