import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { workQueue } from './work-queue'

/** The Argon2 parameters: memory in KiB, passes, lanes. */
export interface PasswordCost {
  memoryCost: number
  timeCost: number
  parallelism: number
}

/** The platform hashes its passwords with these parameters. */
export const PLATFORM_HASH_COST: PasswordCost = { memoryCost: 65_536, timeCost: 3, parallelism: 4 }

/** Argon2i. The library exports a const enum, which isolated modules cannot import. */
const ARGON2I = 1
const BYTES = 32

/** Node's thread pool has four threads, and file access and DNS need one too. */
const maxConcurrency = 3
/** A few seconds of work on a small machine. */
const maxWaiting = 50

/**
 * One hash uses a core for about 50 ms, and 64 MiB. Anyone can cause one by signing in, so one core stays free for other work
 * and the queue is limited.
 */
const runQueued = workQueue({
  concurrency: Math.max(1, Math.min(maxConcurrency, availableParallelism() - 1)),
  maxWaiting,
})

/** Hashes a password as a PHC string. Rejects with QueueFullError if the queue is full. */
export const hashPassword = (password: string, cost: PasswordCost = PLATFORM_HASH_COST): Promise<string> =>
  runQueued(() => hash(password, { algorithm: ARGON2I, ...cost, outputLen: BYTES, salt: randomBytes(BYTES) }))

const decoys = new Map<PasswordCost, Promise<string>>()

const decoy = (cost: PasswordCost): Promise<string> => {
  const existing = decoys.get(cost)
  if (existing) return existing
  const hashPromise = hashPassword(randomBytes(BYTES).toString('hex'), cost)
  decoys.set(cost, hashPromise)
  // A rejected promise must not stay in the map: it would fail every later sign-in.
  hashPromise.catch(() => decoys.delete(cost))
  return hashPromise
}

/**
 * Whether the password matches the stored PHC string, whatever its parameters. Without a stored string the result is false
 * after the same time, so that the response time does not reveal which users exist. Rejects with QueueFullError if the queue is
 * full.
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
  // An invalid PHC string matches no password.
  return runQueued(() => verify(stored, password).catch(() => false))
}
