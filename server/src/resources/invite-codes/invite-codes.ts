import { randomInt } from 'node:crypto'
import type { Connection } from '../../db/repository-options'

/** How many codes one client network may try. */
export const inviteCodeLimit = { name: 'invite codes', max: 20, seconds: 900 }

const alphabet = '0123456789ABCXZ'
const codeLength = 6

/** Codes contain capital letters and digits only. People also enter them in lower case. */
const normalize = (code: string): string => code.trim().toUpperCase()

/** Whether the code exists and nobody has used it. */
export const isUnusedInviteCode = async (db: Connection, code: string): Promise<boolean> => {
  const row = await db
    .selectFrom('beta_invite_codes')
    .select('invite_code')
    .where('invite_code', '=', normalize(code))
    .where('in_use', '=', 0)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks the code as used. False if it does not exist or is already used; of two parallel requests, one succeeds. */
export const useInviteCode = async (db: Connection, code: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('beta_invite_codes')
    .set({ in_use: 1 })
    .where('invite_code', '=', normalize(code))
    .where('in_use', '=', 0)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

const generateCode = () =>
  Array.from({ length: codeLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

/** Adds new codes and returns them. */
export const insertInviteCodes = async (db: Connection, count: number): Promise<string[]> => {
  const codes = new Set<string>()
  while (codes.size < count) {
    const candidates = Array.from({ length: count - codes.size }, generateCode)
    const existingRows = await db
      .selectFrom('beta_invite_codes')
      .select('invite_code')
      .where('invite_code', 'in', candidates)
      .execute()
    const existingCodes = new Set(existingRows.map(({ invite_code }) => invite_code))
    for (const code of candidates) if (!existingCodes.has(code)) codes.add(code)
  }
  const newCodes = [...codes]
  await db
    .insertInto('beta_invite_codes')
    .values(newCodes.map((invite_code) => ({ invite_code, in_use: 0 })))
    .execute()
  return newCodes
}
