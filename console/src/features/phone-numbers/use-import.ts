import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messages } from '@trunkline/contract/messages/phone-number'
import type { ImportOutcome } from '@trunkline/contract/shapes/phone-number'
import { refreshAfterChange } from '../../kit/record/record'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { Problem, getErrorMessage } from '../../lib/problem'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { toast } from '../../ui/feedback/toast'
import { byServer, rowByRow } from './importer'
import { heldNumbers, readCatalogue } from './import-records'
import { namesAnything, readFile, refuseTwins, resolve, type Row } from './import-file'

/** The current step of the import. */
export type Stage =
  | { at: 'file'; why?: string }
  | { at: 'work'; label: string; done: number | undefined; total: number }
  | { at: 'preview'; rows: Row[] }

const toWrite = ({ fate }: Row) => fate.fate === 'add' || fate.fate === 'change'
export const isWrong = ({ fate }: Row) => fate.fate === 'wrong'

const nothing = { carriers: [], accounts: [], applications: [] }

/** Reads and checks a file, then writes its rows. */
export const useImport = () => {
  const actor = useActor()
  const provider = useProviderSid()
  const cache = useQueryClient()
  const [stage, setStage] = useState<Stage>({ at: 'file' })
  const [importer, setImporter] = useState(() => byServer)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  const working = (label: string) => (done: number | undefined, total: number) =>
    setStage({ at: 'work', label, done, total })
  const failed = (error: unknown, back: Stage) => {
    setStage(back)
    if (!(error instanceof Problem && error.hasEndedSession)) toast.bad(getErrorMessage(error))
  }

  const look = async (file: File) => {
    stop.current?.abort()
    const { signal } = (stop.current = new AbortController())
    const read = readFile(await file.text())
    if ('why' in read) return setStage({ at: 'file', why: read.why })
    const capabilities = await cache.ensureQueryData(capabilitiesQuery)
    const way = capabilities.import ? byServer : rowByRow(heldNumbers(actor, provider))
    setImporter(way)
    const tell = working('Checking the rows')
    tell(0, read.lines.length)
    try {
      const catalogue = namesAnything(read.lines) ? await readCatalogue(actor, provider, signal) : nothing
      const own = actor.scope === 'account' ? actor.account_sid : undefined
      const entries = resolve(read.lines, catalogue, own)
      const good = entries.filter(({ fault }) => !fault)
      const fates = good.length > 0 ? await way.check(good, tell, signal) : []
      let next = 0
      const rows = entries.map((entry) => ({ entry, fate: entry.fault ?? fates[next++]! }))
      setStage({ at: 'preview', rows: refuseTwins(rows) })
    } catch (error) {
      if (!signal.aborted) failed(error, { at: 'file' })
    }
  }

  /** Writes all rows or, if some are invalid, the others. Returns whether everything was written. */
  const write = async (rows: Row[]): Promise<boolean> => {
    const due = rows.filter(toWrite)
    const entries = due.map(({ entry }) => entry)
    const before = due.map(({ fate }) => fate)
    const all = !rows.some(isWrong)
    const tell = working('Importing')
    tell(importer.whole && all ? undefined : 0, due.length)
    try {
      const fates = await importer.write(entries, before, all, tell)
      const wrong = due.flatMap(({ entry }, at) => (fates[at]?.fate === 'wrong' ? [{ entry, fate: fates[at] }] : []))
      const whole = importer.whole && all
      const written = whole && wrong.length > 0 ? 0 : due.length - wrong.length
      if (written > 0) toast.ok(messages.import.imported(written))
      await refreshAfterChange(cache, 'phone_number')
      const left = [...rows.filter(isWrong), ...wrong]
      setStage({ at: 'preview', rows: whole && wrong.length > 0 ? replaced(rows, wrong) : left })
      return left.length === 0
    } catch (error) {
      failed(error, { at: 'preview', rows })
      return false
    }
  }

  return { stage, look, write, whole: importer.whole }
}

/** Returns the rows with updated outcomes. */
const replaced = (rows: Row[], newer: Row[]): Row[] => {
  const by = new Map(newer.map((row) => [row.entry.line, row]))
  return rows.map((row) => by.get(row.entry.line) ?? row)
}

/** Counts the rows by outcome. */
export const counts = (rows: readonly Row[]) =>
  rows.reduce<Partial<Record<ImportOutcome['fate'], number>>>(
    (all, { fate: { fate } }) => ({ ...all, [fate]: (all[fate] ?? 0) + 1 }),
    {},
  )
