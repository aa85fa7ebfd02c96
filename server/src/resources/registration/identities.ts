import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { equalsText, type Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import type { Identity } from '../../ports/identity-provider'
import type { StoredUser } from '../users/public'

const hashIdentity = (provider: string, id: string) =>
  createHash('sha256')
    .update(JSON.stringify([provider, id]))
    .digest('base64url')

/** The users of identity providers, by their permanent IDs at the provider. */
export const createIdentityRepository = ({ database: { db } }: Store) => ({
  /**
   * The user with this identity. A user of another program has no stored identity. Then the ID must be the one that the
   * platform stores or, at a provider whose users can change it, the verified address must be the user's.
   */
  async findUser(provider: string, { id, userid, email }: Identity): Promise<StoredUser | undefined> {
    const { rows } = await sql<StoredUser>`select u.* from users u
      join trunkline_identities i on i.user_sid = u.user_sid
      where i.identity_hash = ${hashIdentity(provider, id)} and u.provider = ${provider}`.execute(db)
    if (rows[0]) return rows[0]
    const isPermanent = id === userid
    const column = isPermanent ? 'provider_userid' : 'email'
    const value = isPermanent ? id : email
    if (!value) return undefined
    const { rows: candidates } = await sql<StoredUser>`select * from users where provider = ${provider}
      and ${equalsText(sql.ref(column), value)}
      and user_sid not in (select user_sid from trunkline_identities)`.execute(db)
    // MySQL ignores case and accents. Users with the same value cannot be told apart.
    const matches = candidates.filter((user) =>
      isPermanent ? user.provider_userid === value : user.email.toLowerCase() === value,
    )
    return matches.length === 1 ? matches[0] : undefined
  },

  /** Stores the identity of a user, and deletes those of users who no longer exist. */
  async store(user_sid: string, provider: string, { id }: Identity, tx: Connection): Promise<void> {
    const identity_hash = hashIdentity(provider, id)
    await sql`delete from trunkline_identities where identity_hash = ${identity_hash} or user_sid = ${user_sid}
      or user_sid not in (select user_sid from users)`.execute(tx)
    await tx.insertInto('trunkline_identities').values({ user_sid, identity_hash }).execute()
  },
})

export type Identities = ReturnType<typeof createIdentityRepository>
