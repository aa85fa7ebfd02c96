import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newMoveState, type MoveState } from './move-calls'

/** Keeps the state of a move between two stores in a file, so that an interrupted move can continue. */
export const createStateFile = (folder: string, sourceName: string, targetName: string) => {
  const digest = createHash('sha256').update(`${sourceName} ${targetName}`).digest('hex').slice(0, 12)
  const file = join(folder, `move-calls-${digest}.json`)
  return {
    isPresent: () => existsSync(file),
    read: (): MoveState => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as MoveState) : newMoveState()),
    save(state: MoveState): void {
      mkdirSync(folder, { recursive: true })
      // A file that is replaced is complete at any time.
      writeFileSync(`${file}.new`, JSON.stringify(state))
      renameSync(`${file}.new`, file)
    },
    remove: (): void => rmSync(file, { force: true }),
  }
}
