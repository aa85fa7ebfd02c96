import { SignJWT, jwtVerify } from 'jose'

/** Long enough to listen to any recording. A ticket also ends with its session. */
const lifetimeSeconds = 24 * 60 * 60

/**
 * Signs and reads tickets. A ticket gives access to one resource without a token, for URLs that the browser fetches
 * itself, such as audio. It names the session that requested it, and the route that accepts it checks what the user of
 * that session may do now. The key differs from that of session tokens, so neither is accepted in place of the other.
 */
export const createTicketSigner = (secret: string) => {
  const key = new TextEncoder().encode(`ticket ${secret}`)

  return {
    /** `subject` identifies the resource. */
    sign: (subject: string, session_sid: string): Promise<string> =>
      new SignJWT({ session: session_sid })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(subject)
        .setExpirationTime(Math.floor(Date.now() / 1000) + lifetimeSeconds)
        .sign(key),

    /** The session of a ticket for this resource. Undefined if the ticket is for another resource or has expired. */
    async sessionOf(ticket: string, subject: string): Promise<string | undefined> {
      const payload = await jwtVerify(ticket, key, { algorithms: ['HS256'], subject }).then(
        (verified) => verified.payload,
        () => undefined,
      )
      return typeof payload?.session === 'string' ? payload.session : undefined
    },
  }
}
