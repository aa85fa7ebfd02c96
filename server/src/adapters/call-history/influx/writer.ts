import { PointsRejectedError, type Measurement, type Point } from '../../../ports/call-history'
import { normalizePoints } from '../normalize-points'
import { formatClaimLines } from './claims'
import type { InfluxConnection } from './connection'
import { formatLine } from './line-format'
import { findErrorMessage, readJson, createUnreadableResponseError } from './response'

/** Attempts per write. Each one corrects the type of one more number field. */
const maxAttempts = 10
const fieldTypeConflict =
  /input field "(.+?)" on measurement ".+?" is type (?:float|integer), already exists as type (integer|float)/

/** Creates a function that writes points, and the arrival times of calls that are written with an API key. */
export const createInfluxWriter = (connection: InfluxConnection) => {
  /** Fields that the database stores as integers, because their first writer wrote integers. It rejects other types. */
  const integerFields: Record<Measurement, Set<string>> = { cdrs: new Set(), alerts: new Set() }

  /** Learns the type of a field from an error. Returns whether another attempt makes sense. */
  const learnFieldType = (measurement: Measurement, reason: string): boolean => {
    const [, name, requiredType] = fieldTypeConflict.exec(reason) ?? []
    if (name === undefined) return false
    if (requiredType === 'float') return integerFields[measurement].delete(name)
    const isKnown = integerFields[measurement].has(name)
    integerFields[measurement].add(name)
    return !isKnown
  }

  /** Writes lines. Creates the database if it is missing. */
  const postLines = async (measurement: Measurement, lines: readonly string[]): Promise<Response> => {
    const response = await connection.postLines(measurement, lines)
    if (response.status !== 404) return response
    await connection.createDatabase(measurement)
    return connection.postLines(measurement, lines)
  }

  const writeNormalized = async (measurement: Measurement, points: readonly Point[], attempt = 1): Promise<void> => {
    const lines = [
      ...points.flatMap((point) => formatLine(measurement, point, integerFields[measurement]) ?? []),
      ...formatClaimLines(points),
    ]
    if (lines.length === 0) return
    const response = await postLines(measurement, lines)
    if (response.status === 204) return
    if (response.status !== 400) {
      await connection.parseResponse(response)
      // A successful write has no body, so this response is not from an InfluxDB.
      throw createUnreadableResponseError()
    }
    // The syntax is correct, so the content is rejected and would be rejected again.
    const error = findErrorMessage(await readJson(response)) ?? 'status 400'
    if (attempt < maxAttempts && learnFieldType(measurement, error))
      return writeNormalized(measurement, points, attempt + 1)
    throw new PointsRejectedError(`the call history rejects it: ${error.replace(/^partial write: /, '').slice(0, 200)}`)
  }

  return async (measurement: Measurement, points: readonly Point[]): Promise<void> => {
    const { validPoints, invalidNames } = normalizePoints(measurement, points)
    await writeNormalized(measurement, validPoints)
    if (invalidNames !== '') throw new PointsRejectedError(`not a number: ${invalidNames}`)
  }
}
