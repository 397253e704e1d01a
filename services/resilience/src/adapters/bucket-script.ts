/**
 * The shared bucket's arithmetic, atomic and on the server's clock. The functions carry the names of
 * core/bucket.ts and do the same in the same order. Numbers are whole microseconds (a date has 16 digits,
 * which a double holds exactly); a ledger is stored packed, because Lua's own number formatting would round.
 *
 * One run carries out a list of operations on one group, all at one instant: a crowd costs little more than one.
 *
 * KEYS: the group's ledger, then those of its tenants (one hash tag).
 * ARGV: start, then `maxBookedPerTenant maxBooked` and the group's bursts, then for each operation its id and
 *       `op tenant maxWaitMicros`, group costs, tenant costs, tenant bursts; numbers are separated by spaces, `tenant` is the
 *       place of its key, op is 1 to reserve, 2 to settle, 3 to cancel.
 * Returns { nowMicros, then for each operation code, atMicros and how long each dimension takes to be full again }; code 1 granted,
 *       2 later, 3 refused, 0 for settle and cancel. Of the group's dimension and the tenant's the one that takes longer counts.
 */
export const BUCKET_SCRIPT = `
local TOLERANCE = 1000000
local KEEP_MS = 10000
local RESERVE, SETTLE = 1, 2

local function numbersIn(text)
  local list = {}
  for word in string.gmatch(text, '%S+') do list[#list + 1] = tonumber(word) end
  return list
end

local function slice(list, from, count)
  local part = {}
  for d = 1, count do part[d] = list[from + d - 1] end
  return part
end

local start = ARGV[1]
local policy = numbersIn(ARGV[2])
local maxPerTenant, maxBooked = policy[1], policy[2]
local dimensions = #policy - 2
local groupBursts = slice(policy, 3, dimensions)

local function load(key, bursts, now)
  local stored = redis.call('GET', key)
  if stored then
    local seen, fullAt, booked = unpack(cmsgpack.unpack(stored))
    return { seen = seen, fullAt = fullAt, booked = booked }
  end
  local fullAt = {}
  for d = 1, #bursts do fullAt[d] = start == 'full' and now or now + bursts[d] end
  return { seen = now, fullAt = fullAt, booked = {} }
end

local function store(key, ledger, now)
  local untilFull = ledger.seen
  for d = 1, #ledger.fullAt do untilFull = math.max(untilFull, ledger.fullAt[d]) end
  for _, booking in ipairs(ledger.booked) do
    untilFull = math.max(untilFull, booking[2]) + math.max(0, unpack(booking[3]))
  end
  local keepMs = math.ceil((untilFull - now) / 1000) + KEEP_MS
  local packed = cmsgpack.pack({ ledger.seen, ledger.fullAt, ledger.booked })
  redis.call('SET', key, packed, 'PX', string.format('%.0f', keepMs))
end

local function charge(ledger, costs, at)
  for d = 1, #costs do
    if costs[d] > 0 then ledger.fullAt[d] = math.max(ledger.fullAt[d] or 0, at) + costs[d] end
  end
end

local function catchUp(ledger, bursts, clock)
  if clock + TOLERANCE < ledger.seen then
    for d = 1, #bursts do ledger.fullAt[d] = clock + bursts[d] end
    ledger.booked = {}
    ledger.seen = clock
  end
  local now = math.max(clock, ledger.seen)
  ledger.seen = now
  local ahead = {}
  for _, booking in ipairs(ledger.booked) do
    if #ahead == 0 and booking[2] <= now then charge(ledger, booking[3], booking[2])
    else ahead[#ahead + 1] = booking end
  end
  ledger.booked = ahead
  return now
end

local function payableAt(ledger, demand, d, now)
  local cost = demand.costs[d]
  if cost == 0 then return now end
  local fullAt = math.max(ledger.fullAt[d] or 0, now)
  for _, booking in ipairs(ledger.booked) do
    local booked = booking[3][d] or 0
    if booked > 0 then fullAt = math.max(fullAt, booking[2]) + booked end
  end
  return fullAt + cost - demand.bursts[d]
end

local function allPayableAt(ledger, demand, now)
  local at = now
  for d = 1, #demand.costs do at = math.max(at, payableAt(ledger, demand, d, now)) end
  return at
end

local function roomAt(ledger, limit)
  local booking = ledger.booked[#ledger.booked - limit + 1]
  return booking and booking[2]
end

local GRANTED, LATER, REFUSED = 1, 2, 3

local function answer(group, tenant, groupDemand, tenantDemand, maxWait, now)
  local last = group.booked[#group.booked]
  local at = math.max(last and last[2] or now, allPayableAt(group, groupDemand, now))
  local tenantAt = allPayableAt(tenant, tenantDemand, now)
  if tenantAt > at then return LATER, tenantAt end
  if at == now then return GRANTED, at end
  local room = roomAt(tenant, maxPerTenant) or roomAt(group, maxBooked)
  if room then return LATER, room end
  if at - now > maxWait then return REFUSED, at end
  return GRANTED, at
end

local function enterGrant(ledger, id, costs, at, now)
  if at > now then ledger.booked[#ledger.booked + 1] = { id, at, costs }
  else charge(ledger, costs, at) end
end

local function settle(ledger, demand, sign, now)
  for d = 1, #demand.costs do
    local cost = sign * demand.costs[d]
    if cost ~= 0 then
      local settled = math.max(ledger.fullAt[d] or 0, now) + cost
      ledger.fullAt[d] = math.min(settled, now + 2 * demand.bursts[d])
    end
  end
end

local function cancel(ledger, id, demand, now)
  for index, booking in ipairs(ledger.booked) do
    if booking[1] == id then
      table.remove(ledger.booked, index)
      return
    end
  end
  settle(ledger, demand, -1, now)
end

local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]
local group = load(KEYS[1], groupBursts, clock)
local now = catchUp(group, groupBursts, clock)

local tenants = {}
local function tenantAt(place, bursts)
  local known = tenants[place]
  if known then return known end
  local tenant = load(KEYS[place], bursts, clock)
  catchUp(tenant, bursts, now)
  tenants[place] = tenant
  return tenant
end

local reply = { now }
for argument = 3, #ARGV, 2 do
  local id, given = ARGV[argument], numbersIn(ARGV[argument + 1])
  local op, place, maxWait = given[1], given[2], given[3]
  local groupDemand = { costs = slice(given, 4, dimensions), bursts = groupBursts }
  local tenantDemand = {
    costs = slice(given, 4 + dimensions, dimensions),
    bursts = slice(given, 4 + 2 * dimensions, dimensions),
  }
  local tenant = tenantAt(place, tenantDemand.bursts)
  local code, at = 0, now
  if op == RESERVE then
    code, at = answer(group, tenant, groupDemand, tenantDemand, maxWait, now)
    if code == GRANTED then
      enterGrant(group, id, groupDemand.costs, at, now)
      enterGrant(tenant, id, tenantDemand.costs, at, now)
    end
  elseif op == SETTLE then
    settle(group, groupDemand, 1, now)
    settle(tenant, tenantDemand, 1, now)
  else
    cancel(group, id, groupDemand, now)
    cancel(tenant, id, tenantDemand, now)
  end
  reply[#reply + 1] = code
  reply[#reply + 1] = at
  for d = 1, dimensions do
    local fullAt = math.max(group.fullAt[d] or 0, tenant.fullAt[d] or 0)
    reply[#reply + 1] = math.max(0, fullAt - now)
  end
end

store(KEYS[1], group, now)
for place, tenant in pairs(tenants) do store(KEYS[place], tenant, now) end
return reply
`;
