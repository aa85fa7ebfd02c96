import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { workQueue } from './work-queue'

/** What one Argon2 run costs: memory in KiB, passes, lanes. */
export interface PasswordCost {
  memoryCost: number
  timeCost: number
  parallelism: number
}

/** The cost that the platform stores its passwords with. */
export const PLATFORM_HASH_COST: PasswordCost = { memoryCost: 65_536, timeCost: 3, parallelism: 4 }

/** Argon2i. The library's enumeration is a const enum, which modules compiled one by one cannot read. */
const ARGON2I = 1
const BYTES = 32

/** Node runs such work on four threads, which files and names need as well. */
const maxConcurrency = 3
/** Some seconds of work on a small machine. */
const maxWaiting = 50

/**
 * One run takes a core for about 50 milliseconds and 64 MiB. Anybody may ask for one by signing in, so one core is left
 * to everything else, and of a flood only so many wait.
 */
const runQueued = workQueue({
  concurrency: Math.max(1, Math.min(maxConcurrency, availableParallelism() - 1)),
  maxWaiting,
})

/** The PHC text to store for a password. Rejects with QueueFull when too many are computed at the moment. */
export const hashPassword = (password: string, cost: PasswordCost = PLATFORM_HASH_COST): Promise<string> =>
  runQueued(() => hash(password, { algorithm: ARGON2I, ...cost, outputLen: BYTES, salt: randomBytes(BYTES) }))

const decoys = new Map<PasswordCost, Promise<string>>()

const decoy = (cost: PasswordCost): Promise<string> => {
  const existing = decoys.get(cost)
  if (existing) return existing
  const hashed = hashPassword(randomBytes(BYTES).toString('hex'), cost)
  decoys.set(cost, hashed)
  // One that found the queue full must not be kept: it would fail every later sign-in.
  hashed.catch(() => decoys.delete(cost))
  return hashed
}

/**
 * Whether the password belongs to the stored PHC text, whatever parameters that one names. Without a stored text the
 * answer is no, after the same time, so that nobody can tell by the clock which users exist. Rejects with QueueFull when
 * too many are computed at the moment.
 */
export const verifyPassword = async (
  stored: string | null | undefined,
  password: string,
  cost: PasswordCost = PLATFORM_HASH_COST,
): Promise<boolean> => {
  if (!stored) {
    const text = await decoy(cost)
    await runQueued(() => verify(text, password))
    return false
  }
  // A text that is no PHC string matches no password.
  return runQueued(() => verify(stored, password).catch(() => false))
}
