import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientResponse, SendRequest } from './client'
import { sendOk } from './http'

/** The account that the load writes to. */
interface LoadFixture {
  admin: string
  account: string
  /** One application per worker. Its name counts the acknowledged updates. */
  applications: string[]
}

/** Creates what the load writes to. */
export const createLoadFixture = async (url: string, admin: string, workerCount = 6): Promise<LoadFixture> => {
  const add = async (path: string, body: unknown) => (await sendOk(url, admin, 'POST', `/v1${path}`, body)).sid
  const provider = await add('/ServiceProviders', { name: 'load provider' })
  const account = await add('/Accounts', { name: 'load account', service_provider_sid: provider })
  const hook = { url: 'https://hooks.example.com/load', method: 'POST' }
  const applications: string[] = []
  for (let worker = 0; worker < workerCount; worker += 1) {
    const draft = { name: nameOf(worker, 0), account_sid: account, call_hook: hook, call_status_hook: hook }
    applications.push(await add('/Applications', draft))
  }
  return { admin, account, applications }
}

const nameOf = (worker: number, generation: number) => `load ${worker}, update ${generation}`

const generationOf = (name: unknown) => Number(/update (\d+)$/.exec(String(name))?.[1] ?? NaN)

interface Worker {
  index: number
  application: string
  /** The number in the name of its application: the acknowledged one, and the last one sent. */
  acknowledged: number
  attempted: number
}

interface LoadOptions {
  /** A 503 response is expected at the moment. Others are reported. */
  mayBeUnavailable: () => boolean
  /** Requests may end without a response at the moment. Others are reported. */
  mayLoseResponse: () => boolean
}

/**
 * Clients that write and read without a pause, and remember every acknowledged write. A read must return the last
 * acknowledged value.
 */
export class Load {
  private readonly workers: Worker[]
  private readonly acknowledgedClients = new Set<string>()
  private isRunning = false
  private loops: Promise<void>[] = []
  private serial = 0
  readonly problems: string[] = []
  readonly counts = { requests: 0, acknowledged: 0, unavailable: 0, withoutResponse: 0 }
  /** The sentences of the 503 and 507 responses. */
  readonly sentences = new Set<string>()
  longestRequestMs = 0

  constructor(
    private readonly send: SendRequest,
    private readonly fixture: LoadFixture,
    private readonly options: LoadOptions,
  ) {
    this.workers = fixture.applications.map((application, index) => ({
      index,
      application,
      acknowledged: 0,
      attempted: 0,
    }))
  }

  get account(): string {
    return this.fixture.account
  }

  start(): void {
    this.isRunning = true
    this.loops = this.workers.map((worker) => this.loop(worker))
  }

  async stop(): Promise<void> {
    this.isRunning = false
    await Promise.all(this.loops)
  }

  private async loop(worker: Worker): Promise<void> {
    while (this.isRunning && this.problems.length < 50) {
      const isAnswered = (await this.addClient()) && (await this.update(worker)) && (await this.read(worker))
      if (!isAnswered) await sleep(50)
    }
  }

  /** Returns the response if the request succeeded. Reports an unexpected failure. */
  private async request(method: string, path: string, body?: unknown): Promise<ClientResponse | undefined> {
    const startMs = performance.now()
    const mayLoseResponse = this.options.mayLoseResponse()
    const mayBeUnavailable = this.options.mayBeUnavailable()
    this.counts.requests += 1
    let response
    try {
      response = await this.send(this.fixture.admin, method, path, body)
    } catch (error) {
      this.counts.withoutResponse += 1
      if (!mayLoseResponse && !this.options.mayLoseResponse())
        this.problems.push(`${method} ${path}: no response (${String(error)})`)
      return undefined
    } finally {
      this.longestRequestMs = Math.max(this.longestRequestMs, performance.now() - startMs)
    }
    if (response.status < 300) return response
    // A load balancer answers for a server that ended during the request.
    if ((mayLoseResponse || this.options.mayLoseResponse()) && [502, 504].includes(response.status)) {
      this.counts.withoutResponse += 1
      return undefined
    }
    this.reportRefusal(`${method} ${path}`, response, mayBeUnavailable || this.options.mayBeUnavailable())
    return undefined
  }

  private reportRefusal(label: string, { status, text, retryAfter }: ClientResponse, mayBeUnavailable: boolean): void {
    this.counts.unavailable += 1
    const sentence = /"msg":"([^"]+)"/.exec(text)?.[1]
    const isClear = (status === 503 || status === 507) && retryAfter !== undefined && sentence !== undefined
    if (sentence) this.sentences.add(sentence)
    if (!isClear || !mayBeUnavailable) this.problems.push(`${label}: ${status} ${text.slice(0, 200)}`)
  }

  private async addClient(): Promise<boolean> {
    const username = `load-${(this.serial += 1)}`
    const body = { account_sid: this.fixture.account, username, password: 'Load-Pass-2026' }
    const response = await this.request('POST', '/v1/Clients', body)
    if (response) this.acknowledgedClients.add(username)
    if (response) this.counts.acknowledged += 1
    return response !== undefined
  }

  private async update(worker: Worker): Promise<boolean> {
    worker.attempted += 1
    const body = { name: nameOf(worker.index, worker.attempted) }
    const response = await this.request('PUT', `/v1/Applications/${worker.application}`, body)
    if (!response) return false
    worker.acknowledged = worker.attempted
    this.counts.acknowledged += 1
    return true
  }

  private async read(worker: Worker): Promise<boolean> {
    const response = await this.request('GET', `/v1/Applications/${worker.application}`)
    if (response) this.checkGeneration(worker, JSON.parse(response.text) as { name: string })
    return response !== undefined
  }

  private checkGeneration({ index, acknowledged, attempted }: Worker, { name }: { name: string }): void {
    const generation = generationOf(name)
    if (!(generation >= acknowledged && generation <= attempted))
      this.problems.push(`application ${index}: '${name}' was read, but update ${acknowledged} was acknowledged`)
  }

  /** Reads everything back, and reports acknowledged writes that are missing in `problems`. */
  async checkStoredWrites(send = this.send): Promise<void> {
    const { admin } = this.fixture
    const readRows = async <Row>(path: string) => {
      const { status, text } = await send(admin, 'GET', path)
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${text.slice(0, 200)}`)
      return JSON.parse(text) as Row
    }
    const clients = new Set((await readRows<{ username: string }[]>('/v1/Clients')).map(({ username }) => username))
    const lostClients = [...this.acknowledgedClients].filter((username) => !clients.has(username))
    if (lostClients.length > 0)
      this.problems.push(`${lostClients.length} acknowledged clients are missing, such as ${lostClients[0]}`)
    for (const worker of this.workers)
      this.checkGeneration(worker, await readRows(`/v1/Applications/${worker.application}`))
  }
}
