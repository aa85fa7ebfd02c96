import { randomUUID, webcrypto } from 'node:crypto'
import { SignJWT, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Store } from '../db/repository'
import type { Connection } from '../db/repository-options'

/** The claims of a sign-in token. */
export interface SessionClaims {
  session_sid: string
  user_sid: string
  /** The tenant at the time of sign-in, as clients read it from the token. */
  account_sid?: unknown
  service_provider_sid?: unknown
}

interface VerifiedToken {
  claims: SessionClaims
  /** Seconds since 1970. */
  exp: number
}

/** How many tokens are remembered, so that their signatures are not checked again. Only valid ones are. */
const maxVerifiedTokens = 2000

const importKey = (secret: string) =>
  webcrypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])

/** Issues and verifies sign-in tokens. Each token has a session row, so that a single session can be ended, even after a restart. */
export const createSessionStore = ({ database: { db } }: Store, secret: string, lifetimeMinutes: number) => {
  const keyPromise = importKey(secret)
  /** Whether a session still exists is read from the database for each request. */
  const verifiedTokens = new LRUCache<string, VerifiedToken>({ max: maxVerifiedTokens })

  const nowSeconds = () => Math.floor(Date.now() / 1000)

  const verifySignature = async (token: string): Promise<VerifiedToken | undefined> => {
    try {
      const { payload } = await jwtVerify(token, await keyPromise, { algorithms: ['HS256'] })
      const { jti, exp, user_sid, account_sid, service_provider_sid } = payload
      if (typeof jti !== 'string' || typeof user_sid !== 'string') return undefined
      return { claims: { session_sid: jti, user_sid, account_sid, service_provider_sid }, exp: exp ?? Infinity }
    } catch {
      return undefined
    }
  }

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
        .sign(await keyPromise)
    },

    /** The claims of a token that this installation signed and that has not expired. */
    async verify(token: string): Promise<SessionClaims | undefined> {
      const known = verifiedTokens.get(token)
      if (known) return known.exp > nowSeconds() ? known.claims : undefined
      const verified = await verifySignature(token)
      if (verified) verifiedTokens.set(token, verified)
      return verified?.claims
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
