import { randomUUID } from 'node:crypto'
import { SignJWT, jwtVerify } from 'jose'
import type { Store } from '../db/repository'
import type { Connection } from '../db/repository-options'

/** The claims of a sign-in token. */
export interface SessionClaims {
  session_sid: string
  user_sid: string
  viewOnly: boolean
  /** The tenant at the time of sign-in, as clients read it from the token. */
  account_sid?: unknown
  service_provider_sid?: unknown
}

/** Issues and verifies sign-in tokens. Each token has a session row, so that a single session can be ended, even after a restart. */
export const createSessionStore = ({ database: { db } }: Store, secret: string, lifetimeMinutes: number) => {
  const key = new TextEncoder().encode(secret)

  const nowSeconds = () => Math.floor(Date.now() / 1000)

  return {
    /** Deletes expired sessions. */
    async deleteExpired(): Promise<void> {
      await db.deleteFrom('trunkline_sessions').where('expires_at', '<', nowSeconds()).execute()
    },

    /** Opens a session and signs its token: HS256, `exp` after the configured minutes. */
    async open(user_sid: string, claims: Record<string, unknown>): Promise<string> {
      const session_sid = randomUUID()
      const created_at = nowSeconds()
      const expires_at = created_at + lifetimeMinutes * 60
      await this.deleteExpired()
      await db.insertInto('trunkline_sessions').values({ session_sid, user_sid, created_at, expires_at }).execute()
      return new SignJWT({ ...claims, user_sid })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setJti(session_sid)
        .setIssuedAt(created_at)
        .setExpirationTime(expires_at)
        .sign(key)
    },

    /** The claims of a token that this installation signed and that has not expired. */
    async verify(token: string): Promise<SessionClaims | undefined> {
      try {
        const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] })
        if (typeof payload.jti !== 'string' || typeof payload.user_sid !== 'string') return undefined
        const { jti, user_sid, is_view_only, account_sid, service_provider_sid } = payload
        return { session_sid: jti, user_sid, viewOnly: is_view_only === true, account_sid, service_provider_sid }
      } catch {
        return undefined
      }
    },

    /** Ends one session. */
    async close(session_sid: string): Promise<void> {
      await db.deleteFrom('trunkline_sessions').where('session_sid', '=', session_sid).execute()
    },

    /** Ends all sessions of a user except one. */
    async closeAllExcept(
      user_sid: string,
      exceptSessionSid: string | undefined,
      connection: Connection = db,
    ): Promise<void> {
      await connection
        .deleteFrom('trunkline_sessions')
        .where('user_sid', '=', user_sid)
        .where('session_sid', '<>', exceptSessionSid ?? '')
        .execute()
    },

    /** Ends every session of a user, for example after a new password, a move, a deactivation or a deletion. */
    async closeAll(user_sid: string, connection: Connection = db): Promise<void> {
      await connection.deleteFrom('trunkline_sessions').where('user_sid', '=', user_sid).execute()
    },
  }
}

export type SessionStore = ReturnType<typeof createSessionStore>
