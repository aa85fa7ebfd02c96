import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { listQuery } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { client } from '@trunkline/contract/resources/client'
import { create, row, update } from '@trunkline/contract/shapes/client'
import { containsText, type Connection, type ListOptions, type Row } from '../../db/repository'
import { withTransaction } from '../../db/transaction'
import { badRequest, notFound } from '../../http/problem'
import { requirePermission, serve } from '../../http/serve'
import { withoutUnreadable } from '../../http/unreadable-values'
import type { Services } from '../../services'
import { accountOf, ownerInAccount } from '../accounts/public'

const look = ({ name, account_sid, service_provider_sid }: z.output<typeof listQuery>): ListOptions => ({
  ...(service_provider_sid ? { provider: service_provider_sid } : {}),
  where: [
    ...(name ? [containsText(sql`t.username`, name)] : []),
    ...(account_sid ? [sql`t.account_sid = ${account_sid}`] : []),
  ],
})

export const clientRoutes = (app: FastifyInstance, { store, clients, accounts, encryption: vault }: Services): void => {
  const { db } = store.database

  const accountIn = (draft: Row, actor: Actor): string => {
    const account_sid = accountOf(actor, draft.account_sid as string | null)
    if (!account_sid) throw badRequest('missing field account_sid', 'account_sid')
    return account_sid
  }

  /** The password goes in sealed. What was shown of it and comes back is no new one. */
  const columns = ({ password, ...values }: Row, known?: string | null): Row => {
    if (password === undefined || (password !== null && password === known)) return values
    return { ...values, password: typeof password === 'string' && password !== '' ? vault.encrypt(password) : null }
  }

  /** The table has no unique key of its own: the account's row is held while the names are compared and one is written. */
  const inAccount = <T>(account_sid: string, run: (tx: Connection) => Promise<T>) =>
    withTransaction(db, async (tx) => {
      await accounts.lockRow(account_sid, tx)
      return run(tx)
    })

  const checkName = async (account_sid: string, username: unknown, except: string, tx: Connection) => {
    if (typeof username === 'string' && (await clients.taken(account_sid, username, except, tx)))
      throw badRequest("the client's username already exists", 'username')
  }

  serve(app, client, clients, {
    rowSchema: row,
    createBody: create,
    updateBody: update,
    checkSids: false,
    missing: { read: notFound, update: notFound },
    listOptions: look,
    ownerOf: async (draft, actor) => ownerInAccount(accounts, accountIn(draft, actor)),
    insertRow: async (draft, client_sid, actor) => {
      const account_sid = accountIn(draft, actor)
      await inAccount(account_sid, async (tx) => {
        await checkName(account_sid, draft.username, client_sid, tx)
        await clients.add({ ...columns(draft), account_sid, client_sid }, tx)
      })
    },
    updateRow: async (before, { account_sid: named, ...changes }, actor) => {
      const account_sid = (named as string | null | undefined) ?? before.account_sid
      requirePermission('client', 'create', actor, await ownerInAccount(accounts, account_sid))
      await inAccount(account_sid, async (tx) => {
        await checkName(account_sid, changes.username ?? before.username, before.client_sid, tx)
        const values = columns(withoutUnreadable(changes, before), before.password)
        await clients.change(before.client_sid, { ...values, account_sid }, tx)
      })
    },
  })
}
