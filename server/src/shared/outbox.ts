import type { Mail } from '../ports/mail'

/** The log of a request, or of a background job. */
interface ErrorLog {
  error: (details: object, message: string) => void
}

/** Sends mail after the response, so that mail affects neither the content nor the time of the response. */
export const createOutbox = (mail: Mail | undefined) => {
  const pending = new Set<Promise<void>>()

  const deliver = async (send: (mail: Mail) => Promise<void>, description: string, log: ErrorLog) => {
    if (!mail) return
    try {
      await send(mail)
    } catch (error) {
      const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
      // The error itself is not logged: it may quote the message.
      log.error({ code, command, responseCode }, `An email ${description} could not be sent`)
    }
  }

  return {
    /** Whether a mail server is configured. */
    isEnabled: mail !== undefined,

    /** The number of mails that are not sent yet. */
    countPending: () => pending.size,

    /** Runs `send` after the response. `description` completes "An email … could not be sent" in the log. */
    sendLater(send: (mail: Mail) => Promise<void>, description: string, log: ErrorLog): void {
      const done = new Promise((resolve) => setImmediate(resolve))
        .then(() => deliver(send, description, log))
        .finally(() => pending.delete(done))
      pending.add(done)
    },

    /** Resolves when every scheduled mail was sent or has failed. */
    async drain(): Promise<void> {
      await Promise.all(pending)
    },
  }
}

export type Outbox = ReturnType<typeof createOutbox>
