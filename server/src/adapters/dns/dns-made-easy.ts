import { createHmac } from 'node:crypto'
import * as z from 'zod'
import { RecordExistsError, type Dns, type DnsRecord, type RealmRecords } from '../../ports/dns'
import { UnavailableError } from '../../ports/service-errors'
import { createAddressCheck } from '../net/allowed-targets'
import { createGuardedSender, readBody } from '../net/guarded-request'

const defaultTimeoutMs = 15_000
const maxBodyBytes = 4 * 1024 * 1024
const ttlSeconds = 3600
const sipPort = 5060

export interface DnsMadeEasyOptions {
  url: string
  apiKey: string
  apiSecret: string
  timeoutMs?: number
}

const recordSchema = z.object({ id: z.number().int(), type: z.string(), name: z.string() })
const recordListSchema = z.object({ data: z.array(recordSchema) })
const domainListSchema = z.object({ data: z.array(z.object({ id: z.number().int(), name: z.string() })) })

interface ManagedDomain {
  id: number
  name: string
}

/** The names of a realm's records, relative to the managed domain. */
const namesOf = (realm: string, domain: ManagedDomain) => {
  const host = realm.slice(0, -domain.name.length - 1)
  return { host, service: `_sip._udp.${host}` }
}

/** Sends signed requests. */
const createApiClient = ({ url, apiKey, apiSecret, timeoutMs = defaultTimeoutMs }: DnsMadeEasyOptions) => {
  // The URL is a setting of the operator, and may be in a private network.
  const send = createGuardedSender(createAddressCheck(true))

  const signRequest = () => {
    const date = new Date().toUTCString()
    return {
      'x-dnsme-apiKey': apiKey,
      'x-dnsme-requestDate': date,
      'x-dnsme-hmac': createHmac('sha1', apiSecret).update(date).digest('hex'),
    }
  }

  const sendRequest = async (method: string, path: string, body?: unknown) => {
    const response = await send(
      new URL(url + path),
      {
        method,
        headers: { ...signRequest(), accept: 'application/json', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      },
      async (message) => ({ status: message.statusCode ?? 0, ...(await readBody(message, maxBodyBytes)) }),
    ).catch(() => {
      throw new UnavailableError('The DNS provider does not respond. Try again later.')
    })
    return response
  }

  const requireSuccess = ({ status }: { status: number }) => {
    if (status >= 300) throw new UnavailableError('The DNS provider refused the change. Try again later.')
  }

  const sendForJson = async <S extends z.ZodType>(
    schema: S,
    ...request: Parameters<typeof sendRequest>
  ): Promise<z.output<S>> => {
    const response = await sendRequest(...request)
    const { status, bytes, isComplete } = response
    if (status === 400 && bytes.includes('already exists')) throw new RecordExistsError()
    requireSuccess(response)
    try {
      if (isComplete) return schema.parse(JSON.parse(bytes.toString()))
    } catch {
      // Reported below.
    }
    throw new UnavailableError('The DNS provider returned an unreadable response. Try again later.')
  }

  return { sendRequest, sendForJson, requireSuccess }
}

/** The REST API of DNS Made Easy (api-docs.dnsmadeeasy.com). */
export const createDnsMadeEasy = (options: DnsMadeEasyOptions): Dns => {
  const { sendRequest, sendForJson, requireSuccess } = createApiClient(options)

  /** The managed domain that contains a realm: the longest, if a subdomain is managed too. */
  const findDomain = async (realm: string): Promise<ManagedDomain> => {
    const { data } = await sendForJson(domainListSchema, 'GET', '/dns/managed')
    const domains = data.filter(({ name }) => realm.endsWith(`.${name.toLowerCase()}`))
    const domain = domains.sort((first, second) => second.name.length - first.name.length)[0]
    if (!domain) throw new UnavailableError('The DNS provider does not manage the domain of this realm.')
    return domain
  }

  const listByName = async (domain: ManagedDomain, name: string): Promise<DnsRecord[]> => {
    const path = `/dns/managed/${domain.id}/records?recordName=${encodeURIComponent(name)}`
    const { data } = await sendForJson(recordListSchema, 'GET', path)
    return data.filter((record) => record.name === name).map(({ id, type }) => ({ id, type }))
  }

  return {
    async createRealm({ realm, addresses }: RealmRecords): Promise<DnsRecord[]> {
      const domain = await findDomain(realm)
      const { host, service } = namesOf(realm, domain)
      const common = { ttl: ttlSeconds, gtdLocation: 'DEFAULT' }
      const records = [
        ...addresses.map((value) => ({ ...common, type: 'A', name: host, value })),
        { ...common, type: 'SRV', name: service, value: host, port: sipPort, priority: 10, weight: 100 },
      ]
      const path = `/dns/managed/${domain.id}/records/createMulti`
      const created = await sendForJson(z.array(recordSchema), 'POST', path, records)
      return created.map(({ id, type }) => ({ id, type }))
    },

    async deleteRecords(realm, ids) {
      if (ids.length === 0) return
      const domain = await findDomain(realm)
      const query = ids.map((id) => `ids=${id}`).join('&')
      const response = await sendRequest('DELETE', `/dns/managed/${domain.id}/records?${query}`)
      if (response.status !== 404) requireSuccess(response)
    },

    async listRealm(realm) {
      const domain = await findDomain(realm)
      const { host, service } = namesOf(realm, domain)
      return [...(await listByName(domain, host)), ...(await listByName(domain, service))]
    },
  }
}
