import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasBody } from '../http/anonymous-body'
import type { IngestQuota, QuotaReservation, QuotaUnit } from './quota'
import type { Writer } from './writer'

/** An authenticated request with the part of the quota that its body may use. */
export interface ReservedBody {
  writer: Writer
  reservation: QuotaReservation
}

/** The bytes that a body may have after decompression. */
const estimateBodyBytes = (request: FastifyRequest, maxBytes: number): number => {
  if (!hasBody(request)) return 0
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = request.headers
  return length === undefined || encoding.toLowerCase() !== 'identity' ? maxBytes : Math.min(Number(length), maxBytes)
}

/**
 * Reserves quota for bodies before they are read. `contentUnit` is the unit of the records in them. A handler that takes over
 * a reservation has to release it. Reservations that no handler takes over, for example because the body is incomplete, end
 * with the response.
 */
export const createBodyReservations = (quota: IngestQuota, maxBytes: number, contentUnit: QuotaUnit) => {
  const reservedBodies = new WeakMap<FastifyRequest, ReservedBody>()
  return {
    /** Throws 429 if the tenant of the writer has used up or reserved its quota. */
    reserve(request: FastifyRequest, reply: FastifyReply, writer: Writer): void {
      const bytes = estimateBodyBytes(request, maxBytes)
      const reservation = quota.reserve(writer, { [contentUnit]: 0, bytes })
      reservedBodies.set(request, { writer, reservation })
      reply.raw.once('close', () => {
        if (reservedBodies.delete(request)) reservation.release()
      })
    },

    /** Undefined for a request without a writer. */
    take(request: FastifyRequest): ReservedBody | undefined {
      const reservedBody = reservedBodies.get(request)
      reservedBodies.delete(request)
      return reservedBody
    },
  }
}
