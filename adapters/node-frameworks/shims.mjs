// The subjects of this adapter: each a function of the bench that gives the function that puts one request.

function fastify(bench, options) {
  const app = bench.use('fastify')(options);
  app.post('/tool', async (request) => { bench.execute(request.body); return 'ran'; });
  return async (request) => {
    const asked = { method: 'POST', url: bench.path, payload: bench.body(request), headers: bench.lines(request) };
    const { statusCode, body } = await app.inject(asked);
    bench.response(request, statusCode, body);
  };
}

export const shims = {
  express(bench) {
    const express = bench.use('express'), app = express();
    try { bench.use('body-parser'); } catch { /* it is express's own, and may lie where only express finds it */ }
    app.use(express.json());
    app.post('/tool', (request, response) => { bench.execute(request.body); response.send('ran'); });
    app.use((error, request, response, next) => { // as it does by itself, without a stack on standard error
      bench.current.error ??= error;
      response.status(error.status ?? 500).end();
      void next;
    });
    return bench.served(app);
  },

  fastify: (bench) => fastify(bench, {}),
  fastify_ignore: (bench) => fastify(bench, { onProtoPoisoning: 'ignore', onConstructorPoisoning: 'ignore' }),

  hono(bench) {
    const { Hono } = bench.use('hono'), app = new Hono();
    app.post('/tool', async (c) => { bench.execute(await bench.reading(() => c.req.json())); return c.text('ran'); });
    app.onError((error, c) => c.text('no', 500)); // as it does by itself, without a stack on standard error
    return async (request) => {
      const asked = { method: 'POST', body: bench.body(request), headers: bench.lines(request) };
      const answer = await app.request(bench.path, asked);
      bench.response(request, answer.status, await answer.text());
    };
  },

  mcp(bench) {
    const { McpServer } = bench.use('@modelcontextprotocol/sdk', '/server/mcp.js');
    const { StreamableHTTPServerTransport } = bench.use('@modelcontextprotocol/sdk', '/server/streamableHttp.js');
    const { z } = bench.use('zod');
    return bench.served(async (request, response) => {
      const server = new McpServer({ name: 'tools', version: '1' });
      server.registerTool('tool', { inputSchema: { value: z.any() } }, async ({ value }) => {
        bench.execute(value);
        return { content: [{ type: 'text', text: 'ran' }] };
      });
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
      response.on('close', () => { void transport.close(); void server.close(); });
      await server.connect(transport);
      await transport.handleRequest(request, response);
    });
  },

  ai(bench) {
    const { generateText, jsonSchema, tool } = bench.use('ai');
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
    return async (request) => {
      const input = bench.text(request);
      const call = { type: 'tool-call', toolCallId: 't', toolName: 'tool', input };
      const model = {
        specificationVersion: 'v3', provider: 'none', modelId: 'm', supportedUrls: {},
        doGenerate: async () => ({
          content: [call], finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage, warnings: [],
        }),
      };
      const tools = {
        tool: tool({ inputSchema: jsonSchema({}), execute: async (value) => { bench.execute(value); return 'ran'; } }),
      };
      const { content } = await generateText({ model, tools, prompt: 'run it', maxRetries: 0 });
      const wrong = content.find((part) => part.type === 'tool-error');
      if (wrong) request.end('rejected', 'tool-error');
      else if (!request.executions.length) request.end('rejected', 'nothing ran');
      request.end('accepted');
    };
  },

  partial_json(bench) {
    const { parse } = bench.use('partial-json');
    return async (request) => {
      const text = bench.text(request);
      bench.execute(await bench.reading(async () => parse(text)));
      request.end('accepted');
    };
  },
};
