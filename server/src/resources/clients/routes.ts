import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { listQuery } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { client } from '@trunkline/contract/resources/client'
import { create, row, update } from '@trunkline/contract/shapes/client'
import { containsText, type ListOptions } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { badRequest, notFound } from '../../http/problem'
import { requirePermission, resourceRoutes } from '../../http/resource-routes'
import { withoutUnreadable } from '../../http/unreadable-values'
import type { Services } from '../../services'
import { missingField } from '../../shared/refusals'
import { accountOf, ownerInAccount } from '../accounts/public'

const listOptions = ({ name, account_sid, service_provider_sid }: z.output<typeof listQuery>): ListOptions => ({
  ...(service_provider_sid ? { provider: service_provider_sid } : {}),
  where: [
    ...(name ? [containsText(sql`t.username`, name)] : []),
    ...(account_sid ? [sql`t.account_sid = ${account_sid}`] : []),
  ],
})

export const clientRoutes = (app: FastifyInstance, { store, clients, accounts, encryption: vault }: Services): void => {
  const { db } = store.database

  const accountSidOf = (draft: Row, actor: Actor): string => {
    const account_sid = accountOf(actor, draft.account_sid as string | null)
    if (!account_sid) throw missingField('account_sid')
    return account_sid
  }

  /** Encrypts a new password. A password equal to the masked one stays unchanged. */
  const toColumns = ({ password, ...values }: Row, maskedPassword?: string | null): Row => {
    if (password === undefined || (password !== null && password === maskedPassword)) return values
    return { ...values, password: typeof password === 'string' && password !== '' ? vault.encrypt(password) : null }
  }

  /** The table has no unique key. The account is locked while usernames are compared and the row is written. */
  const withAccountLock = <T>(account_sid: string, run: (tx: Connection) => Promise<T>) =>
    withTransaction(db, async (tx) => {
      await accounts.lockRow(account_sid, tx)
      return run(tx)
    })

  const checkUsername = async (account_sid: string, username: unknown, exceptSid: string, tx: Connection) => {
    if (typeof username === 'string' && (await clients.isDuplicateUsername(account_sid, username, exceptSid, tx)))
      throw badRequest("the client's username already exists", 'username')
  }

  resourceRoutes(app, client, clients, {
    rowSchema: row,
    createBody: create,
    updateBody: update,
    checkSids: false,
    missing: { read: notFound, update: notFound },
    listOptions: listOptions,
    ownerOf: async (draft, actor) => ownerInAccount(accounts, accountSidOf(draft, actor)),
    insertRow: async (draft, client_sid, actor) => {
      const account_sid = accountSidOf(draft, actor)
      await withAccountLock(account_sid, async (tx) => {
        await checkUsername(account_sid, draft.username, client_sid, tx)
        await clients.insert({ ...toColumns(draft), account_sid, client_sid }, tx)
      })
    },
    updateRow: async (current, { account_sid: newAccountSid, ...changes }, actor) => {
      const account_sid = (newAccountSid as string | null | undefined) ?? current.account_sid
      requirePermission('client', 'create', actor, await ownerInAccount(accounts, account_sid))
      await withAccountLock(account_sid, async (tx) => {
        await checkUsername(account_sid, changes.username ?? current.username, current.client_sid, tx)
        const values = toColumns(withoutUnreadable(changes, current), current.password)
        await clients.update(current.client_sid, { ...values, account_sid }, tx)
      })
    },
  })
}
