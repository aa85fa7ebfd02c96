import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** What one Argon2 run costs: memory in KiB, passes, lanes. */
export interface PasswordCost {
  memoryCost: number
  timeCost: number
  parallelism: number
}

/** The cost that the platform stores its passwords with. */
export const PLATFORM_COST: PasswordCost = { memoryCost: 65_536, timeCost: 3, parallelism: 4 }

/** Argon2i. The library's enumeration is a const enum, which modules compiled one by one cannot read. */
const ARGON2I = 1
const BYTES = 32

/** The PHC text to store for a password. */
export const hashPassword = (password: string, cost: PasswordCost = PLATFORM_COST): Promise<string> =>
  hash(password, { algorithm: ARGON2I, ...cost, outputLen: BYTES, salt: randomBytes(BYTES) })

const decoys = new Map<PasswordCost, Promise<string>>()

const decoy = (cost: PasswordCost): Promise<string> => {
  const known = decoys.get(cost) ?? hashPassword(randomBytes(BYTES).toString('hex'), cost)
  decoys.set(cost, known)
  return known
}

/**
 * Whether the password belongs to the stored PHC text, whatever parameters that one names. Without a stored text the
 * answer is no, after the same time, so that nobody can tell by the clock which users exist.
 */
export const verifyPassword = async (
  stored: string | null | undefined,
  password: string,
  cost: PasswordCost = PLATFORM_COST,
): Promise<boolean> => {
  if (!stored) {
    await verify(await decoy(cost), password)
    return false
  }
  // A text that is no PHC string matches no password.
  return verify(stored, password).catch(() => false)
}
