import type { FastifyBaseLogger } from 'fastify'
import type { Mail } from '../ports/mail'

/** Sends mail after the answer, so that neither the answer nor its time depends on it. */
export const outbox = (mail: Mail | undefined) => {
  const running = new Set<Promise<void>>()

  const attempt = async (send: (mail: Mail) => Promise<void>, what: string, log: FastifyBaseLogger) => {
    if (!mail) return
    try {
      await send(mail)
    } catch (error) {
      const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
      // Not the error itself: it may quote the message.
      log.error({ code, command, responseCode }, `a mail ${what} could not be sent`)
    }
  }

  return {
    /** Is there a mail server? */
    enabled: mail !== undefined,

    /** Runs `send` after the answer. `what` completes "a mail … could not be sent" in the log. */
    later(send: (mail: Mail) => Promise<void>, what: string, log: FastifyBaseLogger): void {
      const done = new Promise((resolve) => setImmediate(resolve))
        .then(() => attempt(send, what, log))
        .finally(() => running.delete(done))
      running.add(done)
    },

    /** Resolves when everything that was handed over has been tried. */
    async settled(): Promise<void> {
      await Promise.all(running)
    },
  }
}

export type Outbox = ReturnType<typeof outbox>
