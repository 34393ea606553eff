// Runs the suite in the folder argv[2] against the program argv[3], which performs its GET requests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [, , suite, program, only] = process.argv
const part = path => import(pathToFileURL(`${suite}/${path}`))

/** Returns a port that nothing listens on. */
async function freePort () {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address()
  listener.close()
  await once(listener, 'close')
  return port
}

/** Starts the server of the suite, and returns it with its address. */
async function startServer () {
  const port = await freePort()
  const server = spawn(process.execPath, ['test-engine/server/server.mjs'], {
    cwd: suite,
    env: {
      ...process.env,
      npm_package_config_protocol: 'http',
      npm_package_config_port: `${port}`,
      npm_package_config_pidfile: '/dev/null'
    },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(server.stdout, 'data')
  server.stdout.resume()
  return { server, base: `http://127.0.0.1:${port}` }
}

/** Returns header fields by lowercase name, with the values of equal names joined. */
function joined (headers) {
  const fields = {}
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    fields[key] = key in fields ? `${fields[key]}, ${value}` : value
  }
  return fields
}

/** Lets our program perform the requests of tests, and returns it. */
function replaceFetch (base) {
  const client = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map()
  createInterface({ input: client.stdout }).on('line', line => {
    const response = JSON.parse(line)
    waiting.get(response.id)?.(response)
    waiting.delete(response.id)
  })
  const direct = globalThis.fetch
  const configured = new Map()
  let count = 0
  globalThis.fetch = async (url, init = {}) => {
    const token = `${url}`.split('/')[4]?.split('?')[0]
    if (init.method === 'PUT' && `${url}`.startsWith(`${base}/config/`)) configured.set(token, JSON.parse(init.body))
    // Our cache is asked for images only, so requests with other methods and with a range bypass it.
    const fields = joined(init.headers ?? [])
    const isOurs = `${url}`.startsWith(`${base}/test/`) && ['GET', undefined].includes(init.method) && !('range' in fields)
    if (!isOurs) return direct(url, init)
    const id = ++count
    const answer = new Promise(resolve => waiting.set(id, resolve))
    client.stdin.write(JSON.stringify({ id, url: `${url}`, cache: init.cache, headers: fields }) + '\n')
    const { status, headers, body, error } = await answer
    // An intermediary that reaches no origin server and has nothing to serve responds so (RFC 9111, section 5.2.2.2).
    if (error) return { status: 504, statusText: error, headers: new Headers(), text: async () => '' }
    return {
      status,
      statusText: '',
      headers: new Headers(Object.entries(headers)),
      // The body of a refusal is not delivered, so it is taken to be the one that the test has configured.
      text: async () => body ?? configured.get(token)?.[fields['req-num'] - 1]?.response_body ?? token
    }
  }
  return client
}

/** Counts the passed tests of each kind, whether or not those that they depend on have passed. */
function counts (tests, results, determine, types) {
  const table = {}
  for (const test of tests.flatMap(group => group.tests)) {
    if (test.cdn_only || test.browser_skip || results[test.id] === undefined) continue
    const kind = test.kind ?? 'required'
    const row = (table[kind] ??= { passed: 0, all: 0 })
    row.all++
    if ([types.pass, types.yes].includes(determine(tests, test.id, results, false))) row.passed++
  }
  return table
}

const { server, base } = await startServer()
const client = replaceFetch(base)
try {
  const tests = (await part('tests/index.mjs')).default
  const { runTests, getResults } = await part('test-engine/client/runner.mjs')
  const { determineTestResult, resultTypes } = await part('test-engine/lib/results.mjs')
  const selected = tests.map(group => ({ ...group, tests: group.tests.filter(test => !only || test.id === only) }))
  if (only) selected.forEach(group => group.tests.forEach(test => { test.dump = true }))
  await runTests(selected, true, base)
  const results = getResults()
  const failed = tests.flatMap(group => group.tests)
    .filter(test => Array.isArray(results[test.id]) && test.kind !== 'check')
  for (const test of failed) console.log(`${test.kind ?? 'required'}\t${test.id}\t${results[test.id].join(': ')}`)
  const rows = [['Darkroom', results]].concat(['chrome', 'firefox', 'safari'].map(name =>
    [name, JSON.parse(readFileSync(`${suite}/results/${name}.json`))]))
  console.log('\n| cache | required | optimal |\n|---|---|---|')
  for (const [name, of] of rows) {
    const { required, optimal } = counts(tests, of, determineTestResult, resultTypes)
    if (required && optimal) console.log(`| ${name} | ${required.passed} of ${required.all} | ${optimal.passed} of ${optimal.all} |`)
  }
} finally {
  client.kill()
  server.kill()
}
