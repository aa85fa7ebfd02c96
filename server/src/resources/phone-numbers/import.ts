import { randomUUID } from 'node:crypto'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { problemOf } from '@trunkline/contract/kit/problem'
import { messages } from '@trunkline/contract/messages/phone-number'
import type { Actor } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import { create, type Fate, type Import, type PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import type { WithOwner, Row } from '../../db/repository'
import { badRequest, Problem } from '../../http/problem'
import { requirePermission } from '../../http/serve'
import type { PhoneNumbers } from './repository'
import { storedNumber, taken, type NumberRules } from './rules'

/** Rows that are judged before others have their turn: on SQLite nothing here waits for anything, and all would wait for it. */
const inOneGo = 500

/** What becomes of one row. */
export type Judged =
  | { fate: 'add'; values: Row }
  | { fate: 'change'; phone_number_sid: string; values: Row }
  | { fate: 'same' }
  | { fate: 'wrong'; msg: string; field?: string }

export const shown = (judged: Judged): Fate => (judged.fate === 'wrong' ? judged : { fate: judged.fate })

const wrong = ({ msg, field }: { msg: string; field?: string }): Judged => ({
  fate: 'wrong',
  msg,
  ...(field ? { field } : {}),
})

/** What was thrown about a row; what is no refusal stops everything. */
const refusal = (error: unknown): Judged => {
  if (!(error instanceof Problem)) throw error
  const { field } = (typeof error.body === 'object' ? error.body : {}) as { field?: string }
  return wrong({ msg: error.message, ...(field ? { field } : {}) })
}

/**
 * What each row of an import comes to, before anything is written. A number that is there already, over the same
 * carrier, is changed; over another one it is taken, as in the form, be it by an earlier row. The line of a row in its file is the next after its
 * place here, because the names of the columns come first.
 */
export const judge = async (
  rows: Import['rows'],
  actor: Actor,
  rules: NumberRules,
  numbers: Pick<PhoneNumbers, 'holding'>,
): Promise<Judged[]> => {
  const holders = await numbers.holding([...new Set(rows.map(({ number }) => storedNumber(number ?? '')))])
  const seen = new Map<string, number>()
  const added = new Map<string, number>()
  const twice = (before: number) => wrong({ msg: messages.twice(before + 2), field: 'number' })

  const ofHeld = async (held: WithOwner<PhoneNumber>, row: Import['rows'][number]): Promise<Judged> => {
    if (!can(actor, 'update', 'phone_number', held.owner)) throw taken()
    const named = (['account_sid', 'application_sid'] as const).filter((name) => name in row)
    const differs = named.filter((name) => (row[name] || null) !== held[name])
    if (differs.length === 0) return { fate: 'same' }
    const changes = Object.fromEntries(differs.map((name) => [name, row[name] || null]))
    return {
      fate: 'change',
      phone_number_sid: held.phone_number_sid,
      values: await rules.changed(held, changes, actor),
    }
  }

  const ofRow = async (row: Import['rows'][number], at: number): Promise<Judged> => {
    const parsed = create.safeParse(
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value || null])),
    )
    if (!parsed.success) return wrong(problemOf(parsed.error))
    const draft: Row = parsed.data
    if (!draft.voip_carrier_sid) throw badRequest('missing field voip_carrier_sid', 'voip_carrier_sid')
    const number = storedNumber(parsed.data.number)
    const key = `${number} ${parsed.data.voip_carrier_sid}`
    const before = seen.get(key)
    if (before !== undefined) return twice(before)
    seen.set(key, at)
    const others = holders.get(number) ?? []
    const held = others.find((each) => each.voip_carrier_sid === draft.voip_carrier_sid)
    if (held) return ofHeld(held, row)
    if (others.some(({ owner }) => can(actor, 'read', 'phone_number', owner))) throw taken()
    // once the first is there the second would be taken
    const twin = added.get(number)
    if (twin !== undefined) return twice(twin)
    requirePermission('phone_number', 'create', actor, await rules.ownerOf(draft, actor))
    const values = { ...(await rules.added(draft, actor)), phone_number_sid: randomUUID() }
    added.set(number, at)
    return { fate: 'add', values }
  }

  const judged: Judged[] = []
  for (const [at, row] of rows.entries()) {
    if (at % inOneGo === 0) await othersFirst()
    judged.push(await ofRow(row, at).catch(refusal))
  }
  return judged
}
