import { SignJWT, jwtVerify } from 'jose'

/** A whole day of listening: it ends with the session before. Seconds. */
const lifetimeSeconds = 24 * 60 * 60

/**
 * Tickets open one address without a token, for what a browser fetches by itself, as sound. A ticket stands for the session
 * that asked for it: whoever accepts it checks what the user of that session may do now. It is no token of a session.
 */
export const tickets = (secret: string) => {
  const key = new TextEncoder().encode(`ticket ${secret}`)

  return {
    sign: (subject: string, session_sid: string): Promise<string> =>
      new SignJWT({ session: session_sid })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(subject)
        .setExpirationTime(Math.floor(Date.now() / 1000) + lifetimeSeconds)
        .sign(key),

    /** The session that a ticket for this address stands for; undefined when the ticket is for another one or has expired. */
    async sessionOf(ticket: string, subject: string): Promise<string | undefined> {
      const payload = await jwtVerify(ticket, key, { algorithms: ['HS256'], subject: subject }).then(
        (verified) => verified.payload,
        () => undefined,
      )
      return typeof payload?.session === 'string' ? payload.session : undefined
    },
  }
}
