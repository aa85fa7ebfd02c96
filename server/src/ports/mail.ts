/** An e-mail to one recipient. `to` is a single address, and is never parsed as a list or as header text. */
export interface EmailMessage {
  to: string
  subject: string
  text: string
  html: string
}

/** Sends e-mail. */
export interface Mail {
  /** Rejects if the mail server does not accept the message. */
  send(message: EmailMessage): Promise<void>
  /** Closes connections. */
  close(): void
}
