import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createWorkQueue } from './work-queue'

/** Loaded with the first password, because most starts need none. */
const loadArgon2 = () => import('@node-rs/argon2')

/** The Argon2 parameters: memory in KiB, passes, lanes. */
export interface PasswordCost {
  memoryCost: number
  timeCost: number
  parallelism: number
}

/** The platform hashes its passwords with these parameters. */
export const platformHashCost: PasswordCost = { memoryCost: 65_536, timeCost: 3, parallelism: 4 }

/** Argon2i. The library exports a const enum, which isolated modules cannot import. */
const argon2i = 1
const hashBytes = 32

/** Node's thread pool has four threads, and file access and DNS need one too. */
const maxConcurrentHashes = 3
/** A few seconds of work on a small machine. */
const maxQueuedHashes = 50

/**
 * One hash uses a core for about 50 ms, and 64 MiB. Anyone can cause one by signing in, so one core stays free for other work
 * and the queue is limited.
 */
const runInQueue = createWorkQueue({
  concurrency: Math.max(1, Math.min(maxConcurrentHashes, availableParallelism() - 1)),
  maxWaiting: maxQueuedHashes,
})

/** How many passwords wait to be hashed or checked. */
export const countWaitingPasswords = (): number => runInQueue.countWaiting()

/** Hashes a password as a PHC string. Rejects with QueueFullError if the queue is full. */
export const hashPassword = (password: string, cost: PasswordCost = platformHashCost): Promise<string> =>
  runInQueue(async () => {
    const { hash } = await loadArgon2()
    return hash(password, { algorithm: argon2i, ...cost, outputLen: hashBytes, salt: randomBytes(hashBytes) })
  })

const decoyHashes = new Map<PasswordCost, Promise<string>>()

const getDecoyHash = (cost: PasswordCost): Promise<string> => {
  const existing = decoyHashes.get(cost)
  if (existing) return existing
  const hashPromise = hashPassword(randomBytes(hashBytes).toString('hex'), cost)
  decoyHashes.set(cost, hashPromise)
  // A rejected promise must not stay in the map: it would fail every later sign-in.
  hashPromise.catch(() => decoyHashes.delete(cost))
  return hashPromise
}

/**
 * Whether the password matches the stored PHC string, whatever its parameters. Without a stored string the result is false
 * after the same time, so that the response time does not reveal which users exist. Rejects with QueueFullError if the queue is
 * full.
 */
export const verifyPassword = async (
  storedHash: string | null | undefined,
  password: string,
  cost: PasswordCost = platformHashCost,
): Promise<boolean> => {
  const { verify } = await loadArgon2()
  if (!storedHash) {
    const decoyHash = await getDecoyHash(cost)
    await runInQueue(() => verify(decoyHash, password))
    return false
  }
  // An invalid PHC string matches no password.
  return runInQueue(() => verify(storedHash, password).catch(() => false))
}
