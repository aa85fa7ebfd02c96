import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody, sendJson, startHttpServer } from './http-server'

interface DoubleRecord {
  id: number
  type: string
  name: string
  value: string
  [field: string]: unknown
}

const domainId = 77

/** A double of DNS Made Easy with one managed domain. It checks the signature of each request. */
export const startDnsMadeEasyDouble = async (domain: string) => {
  const apiKey = 'dns-key'
  const apiSecret = 'dns-secret'
  const records = new Map<number, DoubleRecord>()
  let lastId = 0
  let failure: 'none' | 'refuse' | 'lose-response' = 'none'
  const addRecord = (draft: Omit<DoubleRecord, 'id'>): DoubleRecord => {
    const record = { ...draft, id: (lastId += 1) } as DoubleRecord
    records.set(record.id, record)
    return record
  }
  const isSame = (one: DoubleRecord, two: DoubleRecord) =>
    one.type === two.type && one.name === two.name && one.value === two.value
  const path = `/dns/managed/${domainId}/records`

  const isSigned = ({ headers }: IncomingMessage) => {
    const signature = createHmac('sha1', apiSecret).update(String(headers['x-dnsme-requestdate'])).digest('hex')
    return headers['x-dnsme-apikey'] === apiKey && headers['x-dnsme-hmac'] === signature
  }

  const createRecords = (drafts: DoubleRecord[], response: ServerResponse) => {
    const storedRecords = [...records.values()]
    if (drafts.some((draft) => storedRecords.some((record) => isSame(draft, record))))
      return void sendJson(response, 400, { error: ['Record with this type, name, and value already exists.'] })
    const createdRecords = drafts.map(addRecord)
    if (failure === 'lose-response') response.destroy()
    else sendJson(response, 201, createdRecords)
  }

  const { address, stop } = await startHttpServer((request, response) => {
    void (async () => {
      const body = (await readBody(request)).toString()
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      if (!isSigned(request)) return sendJson(response, 403, { error: ['API key not found'] })
      if (failure === 'refuse') return sendJson(response, 400, { error: ['refused'] })
      switch (`${request.method} ${pathname}`) {
        case 'GET /dns/managed':
          return sendJson(response, 200, { data: [{ id: domainId, name: domain }], totalRecords: 1 })
        case `POST ${path}/createMulti`:
          return createRecords(JSON.parse(body) as DoubleRecord[], response)
        case `GET ${path}`: {
          const name = searchParams.get('recordName')
          const data = [...records.values()].filter((record) => record.name === name)
          return sendJson(response, 200, { data, totalRecords: data.length })
        }
        case `DELETE ${path}`: {
          const deletions = searchParams.getAll('ids').map((id) => records.delete(Number(id)))
          return response.writeHead(deletions.includes(true) ? 200 : 404).end()
        }
      }
      return sendJson(response, 404, { error: ['not found'] })
    })()
  })

  return {
    options: { url: address, apiKey, apiSecret },
    /** The records as `type name value`, in the order of their creation. */
    listRecords: () => [...records.values()].map(({ type, name, value }) => `${type} ${name} ${value}`),
    addRecord,
    deleteAllRecords: () => records.clear(),
    setFailure: (newFailure: typeof failure) => {
      failure = newFailure
    },
    stop,
  }
}

export type DnsMadeEasyDouble = Awaited<ReturnType<typeof startDnsMadeEasyDouble>>
