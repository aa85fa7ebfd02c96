import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { messages } from '@trunkline/contract/messages/general'
import { account } from '@trunkline/contract/resources/account'
import { login, logout, currentUser } from '@trunkline/contract/resources/session'
import { request, requestUntyped, setSessionEndHandler, type SessionEndReason } from './client'
import { setFeatureFlags } from './feature-flags'
import { setInterruptionHandler } from './fetch-with-retry'
import { getErrorMessage, Problem } from './problem'
import { localValues } from './storage'

interface StubResponse {
  status: number
  body?: string
  type?: string
  requestId?: string
}

let server: Server
let nextResponse: StubResponse = { status: 200, body: '{}' }
let lastRequest: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }
let endReasons: SessionEndReason[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      lastRequest = { method: request.method, url: request.url, headers: request.headers, body }
      response.writeHead(nextResponse.status, {
        'content-type': nextResponse.type ?? 'application/json',
        'access-control-allow-origin': '*',
        ...(nextResponse.requestId ? { 'x-request-id': nextResponse.requestId } : {}),
      })
      response.end(nextResponse.body)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  setFeatureFlags({ ...defaultFeatureFlags, apiBaseUrl: `http://127.0.0.1:${port}/v1/` })
  setSessionEndHandler((reason) => endReasons.push(reason))
})
afterEach(() => {
  endReasons = []
  localValues.token.clear()
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const catchProblem = async (response: Promise<unknown>): Promise<Problem> => {
  const error = await response.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Problem)
  return error as Problem
}

describe('requests', () => {
  it('fill in and encode the path, and leave empty values out of the query', async () => {
    nextResponse = { status: 200, body: '[]' }
    await requestUntyped(account.read, {
      params: { account_sid: 'a b/c' },
      query: { name: 'x&y', account_sid: '', page: 2 },
    })
    expect(lastRequest.url).toBe('/v1/Accounts/a%20b%2Fc?name=x%26y&page=2')
  })

  it('carry the token, except on public routes', async () => {
    localValues.token.set('secret')
    nextResponse = { status: 200, body: '{}' }
    await request(currentUser)
    expect(lastRequest.headers.authorization).toBe('Bearer secret')
    await request(login, { body: { username: 'a', password: 'b' } })
    expect(lastRequest.headers.authorization).toBeUndefined()
    expect(lastRequest.headers['content-type']).toBe('application/json')
    expect(JSON.parse(lastRequest.body)).toEqual({ username: 'a', password: 'b' })
  })

  it('have no content type without a body', async () => {
    nextResponse = { status: 204 }
    await request(logout)
    expect(lastRequest.method).toBe('POST')
    expect(lastRequest.headers['content-type']).toBeUndefined()
  })

  it('throw if a path parameter is empty', async () => {
    await expect(requestUntyped(account.read, { params: { account_sid: '' } })).rejects.toThrow('no account_sid')
  })
})

describe('responses', () => {
  it.each<[string, StubResponse, unknown]>([
    ['the JSON of a 200', { status: 200, body: '{"a":1}' }, { a: 1 }],
    ['the JSON of a 201', { status: 201, body: '{"sid":"s"}' }, { sid: 's' }],
    ['undefined for a 204', { status: 204 }, undefined],
    ['undefined for an empty 200', { status: 200, body: '' }, undefined],
    ['plain text', { status: 202, body: 'OK', type: 'text/plain' }, 'OK'],
  ])('return %s', async (_, stubResponse, expected) => {
    nextResponse = stubResponse
    expect(await requestUntyped(currentUser)).toEqual(expected)
  })

  const defaultMessage = 'Something went wrong, please try again.'
  it.each<[string, StubResponse, string]>([
    ['msg', { status: 400, body: '{"msg":"a","error":"b","message":"c"}' }, 'a'],
    ['error', { status: 403, body: '{"error":"b","message":"c"}' }, 'b'],
    ['message', { status: 403, body: '{"status":"fail","message":"c"}' }, 'c'],
    ['an empty body', { status: 500, body: '' }, defaultMessage],
    ['only the status 404', { status: 404, body: '' }, messages.recordGone],
    ['the reason phrase of a 404', { status: 404, body: 'Not Found', type: 'text/plain' }, messages.recordGone],
    ['the reason phrase of a 403', { status: 403, body: 'Forbidden', type: 'text/plain' }, messages.noAccess],
    [
      'a status for which the console has a message',
      { status: 480, body: '' },
      'Temporarily unavailable. Try again later.',
    ],
    ['other plain text', { status: 502, body: 'Bad Gateway', type: 'text/plain' }, defaultMessage],
    ['an HTML page', { status: 404, body: '<html>x</html>', type: 'text/html' }, defaultMessage],
    ['an array', { status: 500, body: '["x"]' }, defaultMessage],
    ['a status above 500', { status: 503, body: '{"msg":"busy"}' }, 'busy'],
  ])('reject with the message and status of a refusal with %s', async (_, stubResponse, expectedMessage) => {
    nextResponse = stubResponse
    const problem = await catchProblem(requestUntyped(currentUser))
    expect([problem.status, problem.msg]).toEqual([stubResponse.status, expectedMessage])
    expect(endReasons).toEqual([])
  })

  const requestId = '3f2a6d1c-0b5e-4a7f-9c1d-2e8b7a6f5d4c'
  it.each<[string, StubResponse, string]>([
    [
      'show the request ID of a 5xx',
      { status: 503, body: '{"msg":"busy"}', requestId },
      `busy\nRequest ID ${requestId}`,
    ],
    [
      'show it if there is no reason',
      { status: 418, body: '', requestId },
      `${defaultMessage}\nRequest ID ${requestId}`,
    ],
    ['hide it if the user can act', { status: 400, body: '{"msg":"bad","field":"name"}', requestId }, 'bad'],
    ['hide it for a deleted record', { status: 404, body: '', requestId }, messages.recordGone],
    ['work without one', { status: 500, body: '' }, defaultMessage],
  ])('reject with a problem: its message may %s', async (_, stubResponse, expectedMessage) => {
    nextResponse = stubResponse
    expect(getErrorMessage(await catchProblem(requestUntyped(currentUser)))).toBe(expectedMessage)
  })

  it('reject with the field and the dependents of a refusal', async () => {
    const dependents = [{ kind: 'phone_number', sid: 's', title: '1555' }]
    nextResponse = {
      status: 422,
      body: JSON.stringify({ msg: 'in use', field: 'name', dependents: [...dependents, 'x'] }),
    }
    const problem = await catchProblem(requestUntyped(currentUser))
    expect([problem.field, problem.dependents]).toEqual(['name', dependents])
  })
})

describe('the end of a session', () => {
  it('follows a 401', async () => {
    nextResponse = { status: 401, body: 'Unauthorized', type: 'text/plain' }
    const problem = await catchProblem(requestUntyped(currentUser))
    expect([problem.hasEndedSession, problem.msg, endReasons]).toEqual([
      true,
      'Your session has expired. Please log in and try again.',
      ['expired'],
    ])
  })

  it('does not follow a 401 to a request that keeps the session', async () => {
    nextResponse = { status: 401, body: '' }
    expect((await catchProblem(requestUntyped(currentUser, { keepsSession: true }))).hasEndedSession).toBe(false)
    expect(endReasons).toEqual([])
  })

  it('does not follow a 401 to a request of an earlier session', async () => {
    nextResponse = { status: 401, body: '' }
    localValues.token.set('old token')
    const lateProblem = catchProblem(request(currentUser))
    localValues.token.set('new token')
    expect(await lateProblem).toMatchObject({ status: 401, hasEndedSession: true })
    expect(endReasons).toEqual([])
  })

  it('does not follow an interrupted request of an earlier session', async () => {
    const rejectConnection = (socket: Socket) => socket.destroy()
    server.closeAllConnections()
    server.on('connection', rejectConnection)
    localValues.token.set('old token')
    const lateProblem = catchProblem(requestUntyped(account.create, { body: {} }))
    localValues.token.set('new token')
    expect(await lateProblem).toMatchObject({ status: 0 })
    server.off('connection', rejectConnection)
    expect(endReasons).toEqual([])
  })

  it('follows a 401 to a background request', async () => {
    nextResponse = { status: 401, body: '' }
    expect((await catchProblem(requestUntyped(currentUser, { isBackground: true }))).hasEndedSession).toBe(true)
    expect(endReasons).toEqual(['expired'])
  })

  it('does not follow an aborted request', async () => {
    const controller = new AbortController()
    controller.abort()
    await expect(requestUntyped(currentUser, { signal: controller.signal })).rejects.not.toBeInstanceOf(Problem)
    expect(endReasons).toEqual([])
  })

  it('does not follow a short interruption, which only reading requests survive', async () => {
    const interruptions: boolean[] = []
    setInterruptionHandler((isInterrupted) => interruptions.push(isInterrupted))
    const rejectConnection = (socket: Socket) => socket.destroy()
    const interrupt = () => {
      server.closeAllConnections()
      server.on('connection', rejectConnection)
      setTimeout(() => server.off('connection', rejectConnection), 200)
    }
    nextResponse = { status: 200, body: '{"total":1}' }
    interrupt()
    expect(await request(currentUser)).toEqual({ total: 1 })
    expect([endReasons, interruptions]).toEqual([[], [true, false]])
    interrupt()
    await catchProblem(requestUntyped(account.create, { body: {} }))
    expect([endReasons, interruptions]).toEqual([['unreachable'], [true, false]])
    await delay(300)
  })

  it('follows an unreachable server, except for background requests and requests that keep the session', async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    const backgroundProblem = await catchProblem(requestUntyped(currentUser, { isBackground: true }))
    expect([
      backgroundProblem.status,
      backgroundProblem.hasEndedSession,
      backgroundProblem.isBackground,
      endReasons,
    ]).toEqual([0, false, true, []])
    const otherProblem = await catchProblem(requestUntyped(currentUser, { keepsSession: true }))
    expect([otherProblem.status, otherProblem.hasEndedSession, endReasons]).toEqual([0, false, []])
    const problem = await catchProblem(requestUntyped(currentUser))
    expect([problem.status, problem.msg, endReasons]).toEqual([0, 'The server cannot be reached', ['unreachable']])
  })
})
