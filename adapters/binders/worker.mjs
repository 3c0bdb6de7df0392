// Binders of Node.js: libraries of npm that put what JSON.parse made to a declared target, the shape `order`.
import { serve } from '../node/kit.mjs';
import { load } from '../node/packages.mjs';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const parsed = (bytes) => JSON.parse(decoder.decode(bytes));

async function zod(strict) {
  const { module, identity } = await load('zod'), z = module.z ?? module.default?.z ?? module.default;
  const object = (members) => (strict ? z.object(members).strict() : z.object(members));
  const integer = z.number().int().optional();
  const options = object({ mode: z.string().optional(), limit: integer }).optional();
  const order = object({ target: z.string(), quantity: integer, options });
  return { identity, read: (bytes) => order.parse(parsed(bytes)) };
}
async function ajv(closed, settings = {}) {
  const { module, identity } = await load('ajv'), Ajv = module.default ?? module;
  const more = closed ? { additionalProperties: false } : {};
  const inner = { mode: { type: 'string' }, limit: { type: 'integer' } };
  const properties = {
    target: { type: 'string' },
    quantity: { type: 'integer' },
    options: { type: 'object', properties: inner, ...more },
  };
  const validate = new Ajv(settings).compile({ type: 'object', properties, required: ['target'], ...more });
  return {
    identity,
    read(bytes) { // it answers true or false, and may change what it was given
      const instance = parsed(bytes);
      if (validate(instance)) return instance;
      const { instancePath, message } = validate.errors[0];
      throw Object.assign(new Error(`${instancePath} ${message}`), { name: 'ValidationError' });
    },
  };
}

serve({
  zod: () => zod(false),
  zod_strict: () => zod(true),
  ajv: () => ajv(false),
  ajv_closed: () => ajv(true),
  ajv_fastify: () => ajv(true, { coerceTypes: 'array', useDefaults: true, removeAdditional: true }),
});
