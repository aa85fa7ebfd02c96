/** One message to one person. The address is taken as it is: never a list, never words of a header. */
export interface EmailMessage {
  to: string
  subject: string
  text: string
  html: string
}

/** Whoever carries letters. */
export interface Mail {
  /** Hands one over; rejects when nobody took it. */
  send(message: EmailMessage): Promise<void>
  /** Lets go of what it holds. */
  close(): void
}
