import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'
import type { listQuerySchema } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { client } from '@trunkline/contract/resources/client'
import { clientDraftSchema, clientSchema, clientChangesSchema } from '@trunkline/contract/shapes/client'
import { containsText, type ListOptions } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { badRequest, notFound } from '../../http/problem'
import { requirePermission, resourceRoutes } from '../../http/resource-routes'
import { omitUndecryptable } from '../../http/unreadable-values'
import type { Services } from '../../composition/services'
import { missingField } from '../../shared/refusals'
import { resolveAccountSid, findOwnerForAccount } from '../accounts/public'

const toListOptions = ({ name, account_sid, service_provider_sid }: z.output<typeof listQuerySchema>): ListOptions => ({
  ...(service_provider_sid ? { provider: service_provider_sid } : {}),
  text: name ? containsText(sql`t.username`, name) : undefined,
  where: [...(account_sid ? [sql`t.account_sid = ${account_sid}`] : [])],
})

export const clientRoutes = (app: FastifyInstance, { store, clients, accounts, encryption }: Services): void => {
  const { db } = store.database

  const resolveAccountSidOfDraft = (draft: Row, actor: Actor): string => {
    const account_sid = resolveAccountSid(actor, draft.account_sid as string | null)
    if (!account_sid) throw missingField('account_sid')
    return account_sid
  }

  /** Encrypts a new password. A password that equals the masked one does not change the stored one. */
  const toColumns = ({ password, ...values }: Row, maskedPassword?: string | null): Row => {
    if (password === undefined || (password !== null && password === maskedPassword)) return values
    return {
      ...values,
      password: typeof password === 'string' && password !== '' ? encryption.encrypt(password) : null,
    }
  }

  /** Locks the account while usernames are compared and the row is written, because the table has no unique key. */
  const withAccountLock = <T>(account_sid: string, write: (tx: Connection) => Promise<T>) =>
    withTransaction(db, async (tx) => {
      await accounts.lockRow(account_sid, tx)
      return write(tx)
    })

  const checkUsernameIsUnique = async (account_sid: string, username: unknown, exceptSid: string, tx: Connection) => {
    if (typeof username === 'string' && (await clients.isDuplicateUsername(account_sid, username, exceptSid, tx)))
      throw badRequest("the client's username already exists", 'username')
  }

  resourceRoutes(app, client, clients, {
    rowSchema: clientSchema,
    createBody: clientDraftSchema,
    updateBody: clientChangesSchema,
    requiresWellFormedSids: false,
    missing: { read: notFound, update: notFound },
    listOptions: toListOptions,
    ownerOf: async (draft, actor) => findOwnerForAccount(accounts, resolveAccountSidOfDraft(draft, actor)),
    insertRow: async (draft, client_sid, actor) => {
      const account_sid = resolveAccountSidOfDraft(draft, actor)
      await withAccountLock(account_sid, async (tx) => {
        await checkUsernameIsUnique(account_sid, draft.username, client_sid, tx)
        await clients.insert({ ...toColumns(draft), account_sid, client_sid }, tx)
      })
    },
    updateRow: async (current, { account_sid: newAccountSid, ...changes }, actor) => {
      const account_sid = (newAccountSid as string | null | undefined) ?? current.account_sid
      requirePermission('client', 'create', actor, await findOwnerForAccount(accounts, account_sid))
      await withAccountLock(account_sid, async (tx) => {
        await checkUsernameIsUnique(account_sid, changes.username ?? current.username, current.client_sid, tx)
        const values = toColumns(omitUndecryptable(changes, current), current.password)
        await clients.update(current.client_sid, { ...values, account_sid }, tx)
      })
    },
  })
}
