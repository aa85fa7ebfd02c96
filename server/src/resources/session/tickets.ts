import { SignJWT, jwtVerify } from 'jose'
import type { Store } from '../../db/table'

/** A whole day of listening: it ends with the session before. Seconds. */
const lifetime = 24 * 60 * 60

/**
 * Tickets open one address without a token, for what a browser fetches by itself, as sound. A ticket is good for as long
 * as the session that asked for it, and for nothing else: it is no token of a session.
 */
export const tickets = ({ database: { db } }: Store, secret: string) => {
  const key = new TextEncoder().encode(`ticket ${secret}`)

  return {
    sign: (address: string, session_sid: string): Promise<string> =>
      new SignJWT({ session: session_sid })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(address)
        .setExpirationTime(Math.floor(Date.now() / 1000) + lifetime)
        .sign(key),

    /** Does it open this address, now? */
    async opens(ticket: string, address: string): Promise<boolean> {
      const payload = await jwtVerify(ticket, key, { algorithms: ['HS256'], subject: address }).then(
        (verified) => verified.payload,
        () => undefined,
      )
      if (typeof payload?.session !== 'string') return false
      const row = await db
        .selectFrom('trunkline_sessions')
        .select('user_sid')
        .where('session_sid', '=', payload.session)
        .where('expires_at', '>', Math.floor(Date.now() / 1000))
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
