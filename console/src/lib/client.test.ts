import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { messages } from '@trunkline/contract/messages/general'
import { account } from '@trunkline/contract/resources/account'
import { login, logout, currentUser } from '@trunkline/contract/resources/session'
import { request, requestUntyped, handleSessionEnd, type SessionEndReason } from './client'
import { setFeatureFlags } from './feature-flags'
import { Problem } from './problem'
import { localValues } from './storage'

interface Reply {
  status: number
  body?: string
  type?: string
}

let server: Server
let reply: Reply = { status: 200, body: '{}' }
let seen: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }
let ends: SessionEndReason[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      seen = { method: request.method, url: request.url, headers: request.headers, body }
      response.writeHead(reply.status, {
        'content-type': reply.type ?? 'application/json',
        'access-control-allow-origin': '*',
      })
      response.end(reply.body)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  setFeatureFlags({ ...defaultFeatureFlags, apiBaseUrl: `http://127.0.0.1:${port}/v1/` })
  handleSessionEnd((why) => ends.push(why))
})
afterEach(() => {
  ends = []
  localValues.token.clear()
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const problemOf = async (asked: Promise<unknown>): Promise<Problem> => {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Problem)
  return error as Problem
}

describe('requests', () => {
  it('fill in and encode the path, and leave empty values out of the query', async () => {
    reply = { status: 200, body: '[]' }
    await requestUntyped(account.read, {
      params: { account_sid: 'a b/c' },
      query: { name: 'x&y', account_sid: '', page: 2 },
    })
    expect(seen.url).toBe('/v1/Accounts/a%20b%2Fc?name=x%26y&page=2')
  })

  it('carry the token, except on public routes', async () => {
    localValues.token.set('secret')
    reply = { status: 200, body: '{}' }
    await request(currentUser)
    expect(seen.headers.authorization).toBe('Bearer secret')
    await request(login, { body: { username: 'a', password: 'b' } })
    expect(seen.headers.authorization).toBeUndefined()
    expect(seen.headers['content-type']).toBe('application/json')
    expect(JSON.parse(seen.body)).toEqual({ username: 'a', password: 'b' })
  })

  it('have no content type without a body', async () => {
    reply = { status: 204 }
    await request(logout)
    expect(seen.method).toBe('POST')
    expect(seen.headers['content-type']).toBeUndefined()
  })

  it('throw if a path parameter is empty', async () => {
    await expect(requestUntyped(account.read, { params: { account_sid: '' } })).rejects.toThrow('no account_sid')
  })
})

describe('responses', () => {
  it.each<[string, Reply, unknown]>([
    ['the JSON of a 200', { status: 200, body: '{"a":1}' }, { a: 1 }],
    ['the JSON of a 201', { status: 201, body: '{"sid":"s"}' }, { sid: 's' }],
    ['undefined for a 204', { status: 204 }, undefined],
    ['undefined for an empty 200', { status: 200, body: '' }, undefined],
    ['plain text', { status: 202, body: 'OK', type: 'text/plain' }, 'OK'],
  ])('return %s', async (_, given, wanted) => {
    reply = given
    expect(await requestUntyped(currentUser)).toEqual(wanted)
  })

  const usual = 'Something went wrong, please try again.'
  it.each<[string, Reply, string]>([
    ['msg', { status: 400, body: '{"msg":"a","error":"b","message":"c"}' }, 'a'],
    ['error', { status: 403, body: '{"error":"b","message":"c"}' }, 'b'],
    ['message', { status: 403, body: '{"status":"fail","message":"c"}' }, 'c'],
    ['an empty body', { status: 500, body: '' }, usual],
    ['only the status 404', { status: 404, body: '' }, messages.recordGone],
    ['the reason phrase of a 404', { status: 404, body: 'Not Found', type: 'text/plain' }, messages.recordGone],
    ['the reason phrase of a 403', { status: 403, body: 'Forbidden', type: 'text/plain' }, messages.noAccess],
    ['a status with a message', { status: 480, body: '' }, 'Temporarily unavailable'],
    ['other plain text', { status: 502, body: 'Bad Gateway', type: 'text/plain' }, usual],
    ['an HTML page', { status: 404, body: '<html>x</html>', type: 'text/html' }, usual],
    ['an array', { status: 500, body: '["x"]' }, usual],
    ['a status above 500', { status: 503, body: '{"msg":"busy"}' }, 'busy'],
  ])('a refusal with %s', async (_, given, wanted) => {
    reply = given
    const problem = await problemOf(requestUntyped(currentUser))
    expect([problem.status, problem.msg]).toEqual([given.status, wanted])
    expect(ends).toEqual([])
  })

  it('a refusal carries the field and the dependents', async () => {
    const dependents = [{ kind: 'phone_number', sid: 's', title: '1555' }]
    reply = { status: 422, body: JSON.stringify({ msg: 'in use', field: 'name', dependents: [...dependents, 'x'] }) }
    const problem = await problemOf(requestUntyped(currentUser))
    expect([problem.field, problem.dependents]).toEqual(['name', dependents])
  })
})

describe('the end of a session', () => {
  it('follows a 401', async () => {
    reply = { status: 401, body: 'Unauthorized', type: 'text/plain' }
    const problem = await problemOf(requestUntyped(currentUser))
    expect([problem.hasEndedSession, problem.msg, ends]).toEqual([
      true,
      'Your session has expired. Please log in and try again.',
      ['expired'],
    ])
  })

  it('does not follow a 401 to a background request', async () => {
    reply = { status: 401, body: '' }
    expect((await problemOf(requestUntyped(currentUser, { isBackground: true }))).hasEndedSession).toBe(false)
    expect(ends).toEqual([])
  })

  it('does not follow a 401 to a request of an earlier session', async () => {
    reply = { status: 401, body: '' }
    localValues.token.set('the old one')
    const late = problemOf(request(currentUser))
    localValues.token.set('the new one')
    expect(await late).toMatchObject({ status: 401, hasEndedSession: true })
    expect(ends).toEqual([])
  })

  it('follows a 401 to a polling request', async () => {
    reply = { status: 401, body: '' }
    expect((await problemOf(requestUntyped(currentUser, { isPolling: true }))).hasEndedSession).toBe(true)
    expect(ends).toEqual(['expired'])
  })

  it('does not follow an aborted request', async () => {
    const stop = new AbortController()
    stop.abort()
    await expect(requestUntyped(currentUser, { signal: stop.signal })).rejects.not.toBeInstanceOf(Problem)
    expect(ends).toEqual([])
  })

  it('follows an unreachable server, except for polling requests', async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    const unasked = await problemOf(requestUntyped(currentUser, { isPolling: true }))
    expect([unasked.status, unasked.hasEndedSession, unasked.isPolling, ends]).toEqual([0, false, true, []])
    const problem = await problemOf(requestUntyped(currentUser))
    expect([problem.status, problem.msg, ends]).toEqual([0, 'The server cannot be reached', ['unreachable']])
  })
})
